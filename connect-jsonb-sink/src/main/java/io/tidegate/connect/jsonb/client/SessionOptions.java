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
 * The options that a session asks for at its start. Poolers, proxies and some platforms refuse some of them, each with
 * a different error, so refused options are left out. Options in the URL belong to the user and stay. One thread opens
 * sessions.
 */
public final class SessionOptions {
    private static final Logger log = LoggerFactory.getLogger(SessionOptions.class);

    /**
     * The server notices a worker that vanished without closing: after 30 s of silence it sends 3 probes 10 s apart.
     */
    private static final String KEEP_ALIVE =
            "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";

    /** In order of preference. */
    private static final List<String> OPTIONS = List.of(
            // The server also notices while a statement runs or waits for a lock (PostgreSQL 14 and newer, not on
            // Windows).
            KEEP_ALIVE + " -c client_connection_check_interval=10s",
            KEEP_ALIVE,
            // A pooler gets none of them, because it watches the server's side itself.
            "");

    private final PGSimpleDataSource source;
    private final ServerLogin login;
    private final boolean areOurs;
    private volatile int accepted; // index in OPTIONS; written by the thread that opens

    /** Opens a session once. */
    @FunctionalInterface
    public interface Opening {
        Connection open() throws SQLException;
    }

    /**
     * Sets the options of the sessions that a source opens.
     *
     * @param login whose URL may contain the user's options
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

    /** Opens a session with as many of the options as the server accepts. */
    public Connection open(Opening opening) throws SQLException {
        while (true) {
            try {
                return opening.open();
            } catch (SQLException e) {
                if (!areOurs || !ConnectionFailures.mayRefuseOptions(e)) {
                    throw e;
                }
                if (accepted == OPTIONS.size() - 1) {
                    accept(0); // the options were not the cause
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
