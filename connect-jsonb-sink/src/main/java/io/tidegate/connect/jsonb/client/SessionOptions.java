package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.settings.ServerLogin;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server is asked for at the start of a session. Poolers, proxies and some platforms refuse a part of it, each with an
 * error of its own, so whatever they refuse is left out. The options of the URL are the user's and stay. One thread opens.
 */
public final class SessionOptions {
    private static final Logger log = LoggerFactory.getLogger(SessionOptions.class);

    /** The server notices a worker that vanished without closing: 30 s of silence, then 3 probes 10 s apart. */
    private static final String KEEP_ALIVE =
            "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";

    /** In order of preference. */
    private static final List<String> OPTIONS = List.of(
            // It also notices while a statement runs or waits for a lock (PostgreSQL 14 and newer, not on Windows).
            KEEP_ALIVE + " -c client_connection_check_interval=10s",
            KEEP_ALIVE,
            // A pooler, which looks after the server's side itself.
            "");

    private final PGSimpleDataSource source;
    private final ServerLogin login;
    private final boolean areOurs;
    private volatile int accepted; // index of OPTIONS; written by the thread that opens

    /** Opens a session once. */
    @FunctionalInterface
    public interface Opening {
        Connection open() throws SQLException;
    }

    /**
     * Sets the options of the sessions that a source opens.
     *
     * @param login whose URL may have options of the user's
     */
    public SessionOptions(PGSimpleDataSource source, ServerLogin login) {
        this.source = requireNonNull(source, "source");
        this.login = requireNonNull(login, "login");
        Properties inUrl = Driver.parseURL(login.url(), null);
        this.areOurs = inUrl == null || inUrl.getProperty(PGProperty.OPTIONS.getName()) == null;
        if (areOurs) {
            source.setOptions(OPTIONS.get(0));
        }
    }

    /** A session with as many of the options as the server accepts. */
    public Connection open(Opening opening) throws SQLException {
        while (true) {
            try {
                return opening.open();
            } catch (SQLException e) {
                if (!areOurs || !PostgresFailures.mayRefuseOptions(e)) {
                    throw e;
                }
                if (accepted == OPTIONS.size() - 1) {
                    accept(0); // it was not the options then
                    throw e;
                }
                accept(accepted + 1);
                log.info(
                        "{} refuses an option of the session ({}); trying with \"{}\"",
                        login,
                        PostgresFailures.describe(e),
                        OPTIONS.get(accepted));
            }
        }
    }

    private void accept(int index) {
        accepted = index;
        source.setOptions(OPTIONS.get(index).isEmpty() ? null : OPTIONS.get(index)); // an empty one would be sent, too
    }
}
