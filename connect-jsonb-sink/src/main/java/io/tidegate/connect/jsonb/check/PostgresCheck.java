package io.tidegate.connect.jsonb.check;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.spi.ServerCheck;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.ProvidedPasswords;
import io.tidegate.connect.jsonb.client.SessionDurability;
import io.tidegate.connect.jsonb.client.SessionOptions;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.settings.CommitDurability;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.DeliverySettings;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether a PostgreSQL server would accept a connector's rows: whether it lets us in, is a primary, and has the
 * tables that the settings name. It changes nothing. It skips a question that the server does
 * not understand.
 */
public final class PostgresCheck implements ServerCheck {
    private static final Logger log = LoggerFactory.getLogger(PostgresCheck.class);

    /** Seconds for opening a connection to one host. */
    private static final int CONNECT_TIMEOUT = 3;

    /** Seconds for each answer. */
    private static final int SOCKET_TIMEOUT = 4;

    private static final String PRIMARY = "primary";
    private static final String ANY = "any";

    private final ConnectionSettings settings;
    private final List<RequiredTable> tables;
    private final boolean keepsOffsets;
    private final String server;
    private volatile String waitingFor; // written by the thread that runs
    private Optional<Connection> open = Optional.empty(); // guarded by this
    private boolean closed; // guarded by this

    /** With {@code keepsOffsets} the server may forget commits, because the sink notices. */
    public PostgresCheck(ConnectionSettings settings, List<RequiredTable> tables, boolean keepsOffsets) {
        this.keepsOffsets = keepsOffsets;
        this.settings = requireNonNull(settings, "settings");
        this.tables = List.copyOf(tables);
        this.server = "PostgreSQL " + settings.server();
        this.waitingFor = server;
    }

    @Override
    public List<Finding> run() {
        try (Connection session = openPrimary()) {
            return ask(session);
        } catch (SQLException e) {
            return List.of(new ConnectProblem(settings).explain(e));
        }
    }

    /**
     * Opens a session to the primary, as the sink does. If there is no primary, it opens one to any host to see what
     * that host is.
     */
    private Connection openPrimary() throws SQLException {
        try {
            return open(PRIMARY);
        } catch (SQLException e) {
            if (!SqlState.UNABLE_TO_CONNECT.equals(e.getSQLState()) || e.getCause() != null) {
                throw e;
            }
            return open(ANY);
        }
    }

    private Connection open(String serverType) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        settings.login().apply(source);
        if (serverType.equals(ANY) || !settings.login().sets(PGProperty.TARGET_SERVER_TYPE)) {
            source.setTargetServerType(serverType);
        }
        source.setApplicationName("tidegate validation");
        source.setConnectTimeout(CONNECT_TIMEOUT);
        source.setSocketTimeout(SOCKET_TIMEOUT);
        source.setHostRecheckSeconds(0);
        try (ProvidedPasswords passwords = ProvidedPasswords.of(settings.login())) {
            return opened(new SessionOptions(source, settings.login(), passwords).open());
        }
    }

    private synchronized Connection opened(Connection session) throws SQLException {
        if (closed) {
            session.close();
            throw new SQLException("cancelled", SqlState.UNABLE_TO_CONNECT);
        }
        open = Optional.of(session);
        return session;
    }

    private List<Finding> ask(Connection session) throws SQLException {
        ServerFacts facts = factsOf(session);
        if (facts.isStandby()) {
            return List.of(Finding.unavailable(
                    ConnectionSettings.URL,
                    server
                            + " is a standby, which takes no rows, and no primary is among the hosts of the URL. Name"
                            + " all servers there; the sink finds the primary"));
        }
        if (facts.isReadOnly()) {
            return List.of(Finding.wrong(
                    ConnectionSettings.USER,
                    "role " + facts.role() + " may only read on " + server
                            + ": default_transaction_read_only is on, for the role, the database or the server"));
        }
        DatabaseMetaData product = session.getMetaData();
        log.info(
                "{} is {} {}; connected as role {}",
                server,
                product.getDatabaseProductName(),
                product.getDatabaseProductVersion(),
                facts.role());
        List<Finding> findings = new ArrayList<>();
        checkDurability(session, findings);
        checkThatCommitsStay(session, findings);
        for (RequiredTable table : tables) {
            check(session, facts, table, findings);
        }
        return findings;
    }

    private ServerFacts factsOf(Connection session) throws SQLException {
        try {
            return ServerFacts.of(session);
        } catch (SQLException e) {
            leaveOut("its role and whether it is a standby", e);
            return ServerFacts.unasked(session);
        }
    }

    private void checkDurability(Connection session, List<Finding> findings) throws SQLException {
        try {
            SessionDurability.apply(session, settings.login().durability());
        } catch (SQLException e) {
            if (PostgresFailures.endsConnections(e)) {
                throw e;
            }
            findings.add(Finding.wrong(
                    ConnectionSettings.COMMIT_DURABILITY,
                    server + " does not take the durability of commits from the sink: "
                            + PostgresFailures.describe(e)));
        }
    }

    private void checkThatCommitsStay(Connection session, List<Finding> findings) throws SQLException {
        try {
            boolean isServers = settings.login().durability() == CommitDurability.SERVER;
            if (isServers && !keepsOffsets && SessionDurability.isOff(session)) {
                findings.add(Finding.wrong(
                        ConnectionSettings.COMMIT_DURABILITY,
                        "synchronous_commit is off on " + server + ", for the role, the database or the server: a crash"
                                + " loses the last commits, and without " + DeliverySettings.DELIVERY_GUARANTEE
                                + "=exactly_once nobody notices and writes them again; use that, or local, or ALTER ROLE"
                                + " ... SET synchronous_commit = on"));
            }
        } catch (SQLException e) {
            leaveOut("the durability of commits", e);
        }
    }

    private void check(Connection session, ServerFacts facts, RequiredTable table, List<Finding> findings)
            throws SQLException {
        waitingFor = server + ", asked about " + table.sql() + ",";
        try {
            findings.addAll(new TableCheck(table, facts, session).findings());
        } catch (SQLException e) {
            leaveOut("table " + table.sql(), e);
        }
    }

    /**
     * Logs a question that the server does not understand. Servers that speak PostgreSQL's protocol may lack parts of
     * its catalogue.
     */
    private void leaveOut(String what, SQLException e) throws SQLException {
        if (PostgresFailures.endsConnections(e)) {
            throw e;
        }
        log.warn(
                "{} could not be asked about {}, which is not checked: {}", server, what, PostgresFailures.describe(e));
    }

    @Override
    public Problem waitingFor() {
        return new Problem(ConnectionSettings.URL, waitingFor);
    }

    @Override
    public synchronized void close() {
        closed = true;
        open.ifPresent(PostgresCheck::abort);
    }

    private static void abort(Connection session) {
        try {
            session.abort(Runnable::run);
        } catch (SQLException e) {
            log.debug("A session could not be cancelled", e);
        }
    }
}
