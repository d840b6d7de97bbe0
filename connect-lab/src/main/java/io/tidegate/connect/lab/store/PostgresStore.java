package io.tidegate.connect.lab.store;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.postgres.PgBouncer;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Server;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** A PostgreSQL server with a session of this program. It can have poolers. */
public final class PostgresStore implements Store {
    private static final String COMMITS = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()";

    /** How the environment variables with the poolers' URLs begin; then the mode and {@code _URL} follow. */
    private static final String POOLER = "TIDEGATE_PGBOUNCER_";

    private final PostgresServer server;
    private final Map<PgBouncer.PoolMode, PgBouncer> poolers = new EnumMap<>(PgBouncer.PoolMode.class);
    private Optional<PostgresQueries> queries = Optional.empty();
    private Table table = Table.PLAIN;
    private long commitsBefore;
    private long ownCommitsBefore;

    /**
     * Creates the server without starting it.
     *
     * @param settings of the server, in addition to the testkit's
     */
    public PostgresStore(Map<String, String> settings) {
        PostgresServer.Builder builder = PostgresServer.builder();
        settings.forEach(builder::setting);
        server = builder.build();
    }

    /** Adds a PgBouncer of each pool mode. Must be called before the server starts. */
    public void addPoolers() {
        for (PgBouncer.PoolMode mode : PgBouncer.PoolMode.values()) {
            poolers.put(mode, PgBouncer.inFrontOf(server, mode));
        }
    }

    @Override
    public List<Server> servers() {
        List<Server> servers = new ArrayList<>(List.of(server));
        servers.addAll(poolers.values());
        return servers;
    }

    /** Opens a connection for another client. {@link #connections} counts it. */
    public Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", server.user());
        properties.setProperty("password", server.password());
        return DriverManager.getConnection(server.jdbcUrl(), properties);
    }

    @Override
    public void open() throws ToolException {
        queries = Optional.of(openSession());
    }

    @Override
    public Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        environment.put("TIDEGATE_POSTGRES_URL", server.jdbcUrl());
        environment.put("TIDEGATE_POSTGRES_USER", server.user());
        environment.put("TIDEGATE_POSTGRES_PASSWORD", server.password());
        poolers.forEach((mode, pooler) -> environment.put(POOLER + mode.name() + "_URL", pooler.jdbcUrl()));
        return environment;
    }

    /** Whether a connector's configuration refers to a pooler. */
    public static boolean usesPoolers(Map<String, String> config) {
        return config.values().stream().anyMatch(value -> value.contains(POOLER));
    }

    @Override
    public void reset(Table newTable, String indexDefinition) throws ToolException {
        poolers.values().forEach(Server::restart); // The poolers would keep sessions of the previous run.
        table = newTable;
        queries().execute("DROP SCHEMA public CASCADE", "CREATE SCHEMA public");
        queries().execute(table.create().toArray(String[]::new));
        queries().execute("CHECKPOINT", "SELECT pg_stat_force_next_flush()");
        ownCommitsBefore = queries().statements();
        commitsBefore = queries().number(COMMITS);
    }

    /** The size on disk of the table, and of others that a sink made with this prefix. A count would read all of them. */
    @Override
    public long progress() throws ToolException {
        return queries()
                .number("SELECT coalesce(sum(pg_total_relation_size(format('%I.%I', schemaname, tablename))), 0)"
                        + tables());
    }

    private String tables() {
        return " FROM pg_tables WHERE schemaname = 'public' AND starts_with(tablename, '" + table.name() + "')";
    }

    @Override
    public boolean progressIsExact() {
        return false;
    }

    @Override
    public long count() throws ToolException {
        return queries()
                .number(
                        table.isChanged()
                                ? table.count()
                                : "SELECT coalesce(sum((xpath('//n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I.%I',"
                                        + " schemaname, tablename), false, true, '')))[1]::text::bigint), 0)"
                                        + tables());
    }

    @Override
    public int connections() throws ToolException {
        return queries().connections();
    }

    @Override
    public long requests() throws ToolException {
        queries().number("SELECT 1 FROM pg_stat_force_next_flush()");
        long own = queries().statements() - ownCommitsBefore;
        return queries().number(COMMITS) - commitsBefore - own;
    }

    @Override
    public long bytes() throws ToolException {
        return progress();
    }

    @Override
    public String version() throws ToolException {
        return "PostgreSQL "
                + queries().rows("SHOW server_version", row -> row.getString(1)).get(0);
    }

    @Override
    public void close() {
        poolers.values().forEach(Server::close);
        queries.ifPresent(PostgresQueries::close);
        server.close();
    }

    /**
     * This program's own session.
     *
     * @throws IllegalStateException before {@link #open}
     */
    public PostgresQueries queries() {
        return queries.orElseThrow(() -> new IllegalStateException(server + " is not open"));
    }

    /** Another session, which the caller closes. */
    public PostgresQueries openSession() throws ToolException {
        return PostgresQueries.open(server.toString(), server.jdbcUrl(), server.user(), server.password());
    }

    /** A shell command that connects to the server. */
    public String shellCommand() {
        return "psql 'postgresql://" + server.user() + ":" + server.password() + "@" + server.host() + ":"
                + server.port() + "/" + server.database() + "'";
    }
}
