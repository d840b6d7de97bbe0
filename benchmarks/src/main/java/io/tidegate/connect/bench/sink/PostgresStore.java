package io.tidegate.connect.bench.sink;

import io.tidegate.connect.testkit.postgres.PgBouncer;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.tools.PostgresQueries;
import io.tidegate.connect.tools.ToolException;
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

/** PostgreSQL as it comes, with room for the write-ahead log and without autovacuum, which would hit one run and not another. */
final class PostgresStore implements Store {
    private static final Map<String, String> SETTINGS =
            Map.of("shared_buffers", "256MB", "max_wal_size", "8GB", "autovacuum", "off");

    private static final String COMMITS = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()";

    private final PostgresServer server;
    private final Map<PgBouncer.PoolMode, PgBouncer> poolers = new EnumMap<>(PgBouncer.PoolMode.class);
    private Optional<PostgresServer> standby = Optional.empty();
    private Optional<PostgresQueries> session = Optional.empty();
    private Subject.Table table = Subject.Table.PLAIN;
    private long commitsBefore;
    private long ownCommitsBefore;

    public PostgresStore() {
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
        return DriverManager.getConnection(primaryUrl(), properties);
    }

    private String primaryUrl() {
        return jdbcUrl() + "?targetServerType=primary";
    }

    /** Of all hosts, in their order. */
    private String jdbcUrl() {
        String hosts = standby.map(
                        second -> server.host() + ":" + server.port() + "," + second.host() + ":" + second.port())
                .orElse(server.host() + ":" + server.port());
        return "jdbc:postgresql://" + hosts + "/" + server.database();
    }

    @Override
    public void open() throws ToolException {
        session = Optional.of(PostgresQueries.open(server.toString(), primaryUrl(), server.user(), server.password()));
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
    public void reset(Subject subject) throws ToolException {
        standby.ifPresent(server::replicateSynchronously);
        poolers.values().forEach(Server::restart); // they keep the sessions of the run before
        table = subject.table();
        prepare(List.of("DROP SCHEMA public CASCADE", "CREATE SCHEMA public"));
        prepare(table.create());
        prepare(List.of("CHECKPOINT", "SELECT pg_stat_force_next_flush()"));
        ownCommitsBefore = session().statements();
        commitsBefore = session().number(COMMITS);
    }

    /** Executes statements, such as those that add to the table that {@link #reset} has made. */
    void prepare(List<String> statements) throws ToolException {
        for (String statement : statements) {
            session().execute(statement);
        }
    }

    /** The size of the table: a look at its files, where a count would read all of it. */
    @Override
    public long progress() throws ToolException {
        return session().number("SELECT pg_total_relation_size('" + table.name() + "')");
    }

    @Override
    public boolean progressIsExact() {
        return false;
    }

    @Override
    public long count() throws ToolException {
        return session().number("SELECT count(*) FROM " + table.name());
    }

    @Override
    public int connections() throws ToolException {
        return session().connections();
    }

    @Override
    public long requests() throws ToolException {
        session().number("SELECT 1 FROM pg_stat_force_next_flush()");
        long own = session().statements() - ownCommitsBefore;
        return session().number(COMMITS) - commitsBefore - own;
    }

    @Override
    public String version() throws ToolException {
        return "PostgreSQL "
                + session().rows("SHOW server_version", row -> row.getString(1)).get(0);
    }

    @Override
    public void close() {
        poolers.values().forEach(Server::close);
        standby.ifPresent(Server::close);
        session.ifPresent(PostgresQueries::close);
        server.close();
    }

    private PostgresQueries session() throws ToolException {
        return session.orElseThrow(() -> new ToolException(server + " is not open"));
    }
}
