package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server has shown that it does not take. Servers that only speak PostgreSQL's protocol may lack a kind of
 * statement or a function; then all lanes of a task write in a plainer way until it is started again. A server that is
 * wrongly taken for such a one only costs time. Any thread.
 */
public final class Dialect {
    private static final Logger log = LoggerFactory.getLogger(Dialect.class);

    /** Ways to write. Each needs less of the server than the one before. */
    public enum Form {
        /** A binary {@code COPY} with a condition, where rows and table allow it. */
        COPY("COPY"),
        /** Rows as arrays, in statements that check that the table is still as it was looked up. */
        CHECKED("statements that check the table"),
        /** {@code INSERT ... VALUES} and no function of the catalogue: an {@code ALTER TABLE} goes unnoticed. */
        PLAIN("INSERT ... VALUES");

        private final String described;

        Form(String described) {
            this.described = described;
        }

        Form plainer() {
            return this == COPY ? CHECKED : PLAIN;
        }
    }

    private final String server;
    private volatile Form form = Form.COPY;
    private volatile boolean hasCatalogue = true;

    /** For the lanes of one task. The name of the server is for log lines. */
    public Dialect(String server) {
        this.server = requireNonNull(server, "server");
    }

    Form form() {
        return form;
    }

    /** Whether tables are looked up in PostgreSQL's own catalogue. */
    public boolean hasCatalogue() {
        return hasCatalogue;
    }

    /** The server does not tell what a table is like. */
    public synchronized void lacksCatalogue(String reason) {
        hasCatalogue = false;
        become(Form.PLAIN, reason);
    }

    /** The server took this form of a statement, after it had refused the one before. */
    synchronized void become(Form plainer, String reason) {
        if (plainer.compareTo(form) > 0) {
            log.warn("{} does not take {}, only {}: {}", server, form.described, plainer.described, reason);
            form = plainer;
        }
    }

    /** Something between us and the server, or a trial, makes COPY unusable. */
    public synchronized void avoidCopy(String reason) {
        if (form == Form.COPY) {
            log.info("{}: writing without COPY from now on", reason);
            form = Form.CHECKED;
        }
    }
}
