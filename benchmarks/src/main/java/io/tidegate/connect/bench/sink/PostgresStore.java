package io.tidegate.connect.bench.sink;

import io.tidegate.connect.bench.BenchException;
import io.tidegate.connect.testkit.PgBouncer;
import io.tidegate.connect.testkit.PostgresServer;
import io.tidegate.connect.testkit.Server;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** PostgreSQL as it comes, with room for the write-ahead log and without autovacuum, which would hit one run and not another. */
final class PostgresStore implements Store {
    private static final String APPLICATION = "tidegate-bench";
    private static final Map<String, String> SETTINGS =
            Map.of("shared_buffers", "256MB", "max_wal_size", "8GB", "autovacuum", "off");

    private static final String CONNECTIONS = "SELECT count(*) FROM pg_stat_activity"
            + " WHERE backend_type = 'client backend' AND application_name <> '" + APPLICATION + "'";
    private static final String COMMITS = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()";

    private final PostgresServer server;
    private final Map<PgBouncer.PoolMode, PgBouncer> poolers = new EnumMap<>(PgBouncer.PoolMode.class);
    private Optional<PostgresServer> standby = Optional.empty();
    private Optional<Connection> connection = Optional.empty();
    private Subject.Table table = Subject.Table.PLAIN;
    private long commitsBefore;
    private long ownCommits;

    PostgresStore() {
        PostgresServer.Builder builder = PostgresServer.builder();
        SETTINGS.forEach(builder::setting);
        server = builder.build();
    }

    @Override
    public StoreKind kind() {
        return StoreKind.POSTGRESQL;
    }

    /** Puts a PgBouncer of each kind in front of the server; before it starts. */
    void addPoolers() {
        for (PgBouncer.PoolMode mode : PgBouncer.PoolMode.values()) {
            poolers.put(mode, PgBouncer.inFrontOf(server, mode));
        }
    }

    /** Gives the server a synchronous standby; before it starts. */
    void addStandby() {
        standby = Optional.of(server.standby());
    }

    /** Kills the primary and makes the standby one; there must be one. */
    void failOver() {
        server.kill();
        standby.orElseThrow().promote();
    }

    @Override
    public List<Server> servers() {
        List<Server> servers = new ArrayList<>(List.of(server));
        standby.ifPresent(servers::add);
        servers.addAll(poolers.values());
        return servers;
    }

    /** For clients of the benchmark's own; counted as foreign ones by {@link #connections}. */
    Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", server.user());
        properties.setProperty("password", server.password());
        return DriverManager.getConnection(jdbcUrl() + "?targetServerType=primary", properties);
    }

    /** Of all hosts, in their order. */
    private String jdbcUrl() {
        String hosts = standby.map(
                        second -> server.host() + ":" + server.port() + "," + second.host() + ":" + second.port())
                .orElse(server.host() + ":" + server.port());
        return "jdbc:postgresql://" + hosts + "/" + server.database();
    }

    @Override
    public void open() throws BenchException {
        Properties properties = new Properties();
        properties.setProperty("user", server.user());
        properties.setProperty("password", server.password());
        properties.setProperty("ApplicationName", APPLICATION);
        try {
            connection = Optional.of(DriverManager.getConnection(jdbcUrl() + "?targetServerType=primary", properties));
        } catch (SQLException e) {
            throw failed("connecting", e);
        }
    }

    @Override
    public Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        environment.put("TIDEGATE_POSTGRES_URL", jdbcUrl());
        environment.put("TIDEGATE_POSTGRES_USER", server.user());
        environment.put("TIDEGATE_POSTGRES_PASSWORD", server.password());
        poolers.forEach((mode, pooler) -> environment.put(urlThrough(mode), pooler.jdbcUrl()));
        return environment;
    }

    /** The variable that names a pooler's URL. */
    static String urlThrough(PgBouncer.PoolMode mode) {
        return "TIDEGATE_PGBOUNCER_" + mode.name() + "_URL";
    }

    @Override
    public void reset(Subject subject) throws BenchException {
        standby.ifPresent(server::replicateSynchronously);
        poolers.values().forEach(Server::restart); // they keep the sessions of the run before
        table = subject.table();
        execute("DROP SCHEMA public CASCADE");
        execute("CREATE SCHEMA public");
        for (String statement : table.create()) {
            execute(statement);
        }
        execute("CHECKPOINT");
        execute("SELECT pg_stat_force_next_flush()");
        ownCommits = 0;
        commitsBefore = number(COMMITS);
    }

    /** What a benchmark adds to the table that {@link #reset} has made. */
    void prepare(List<String> statements) throws BenchException {
        for (String statement : statements) {
            execute(statement);
        }
    }

    /** The size of the table: a look at its files, where a count would read all of it. */
    @Override
    public long progress() throws BenchException {
        return number("SELECT pg_total_relation_size('" + table.name() + "')");
    }

    @Override
    public boolean progressIsExact() {
        return false;
    }

    @Override
    public long count() throws BenchException {
        return number("SELECT count(*) FROM " + table.name());
    }

    @Override
    public int connections() throws BenchException {
        return (int) number(CONNECTIONS);
    }

    @Override
    public long requests() throws BenchException {
        number("SELECT 1 FROM pg_stat_force_next_flush()");
        long own = ownCommits;
        return number(COMMITS) - commitsBefore - own;
    }

    @Override
    public String version() throws BenchException {
        try (Statement statement = own().createStatement();
                ResultSet rows = statement.executeQuery("SHOW server_version")) {
            rows.next();
            return "PostgreSQL " + rows.getString(1);
        } catch (SQLException e) {
            throw failed("a query", e);
        }
    }

    @Override
    public void close() {
        poolers.values().forEach(Server::close);
        standby.ifPresent(Server::close);
        try (Server closing = server) {
            if (connection.isPresent()) {
                connection.get().close();
            }
        } catch (SQLException e) {
            // The server goes with it.
        }
    }

    private Connection own() throws BenchException {
        return connection.orElseThrow(() -> new BenchException(server + " is not open"));
    }

    private void execute(String sql) throws BenchException {
        try (Statement statement = own().createStatement()) {
            statement.execute(sql);
            ownCommits++;
        } catch (SQLException e) {
            throw failed(sql, e);
        }
    }

    private long number(String query) throws BenchException {
        try (Statement statement = own().createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            ownCommits++;
            return rows.getLong(1);
        } catch (SQLException e) {
            throw failed(query, e);
        }
    }

    private BenchException failed(String what, SQLException e) {
        return new BenchException(
                server + ": " + what + " failed: " + e.getMessage() + " (SQLSTATE " + e.getSQLState() + ")", e);
    }
}
