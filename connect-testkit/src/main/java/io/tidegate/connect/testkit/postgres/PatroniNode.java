package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.process.ChildServer;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One node of a {@link Patroni} cluster: a Patroni and the PostgreSQL that it starts, promotes and rewinds. {@link #kill},
 * {@link #pause} and {@link #stop} are for both. Superuser and database are {@code postgres}. Its standbys reach it through
 * a proxy, so that replication can be held back.
 */
public final class PatroniNode extends ChildServer implements Postgres {
    private static final String USER = "postgres";
    private static final int OK = 200;

    private final Patroni cluster;
    private final String name;
    private final HttpClient http = Http.plain(Duration.ofSeconds(2));
    private final TcpProxy replication;

    PatroniNode(Patroni cluster, String name) {
        super("patroni-" + name);
        this.cluster = cluster;
        this.name = name;
        replication = TcpProxy.to(host(), port());
    }

    /** As Patroni knows it. */
    public String name() {
        return name;
    }

    /** Whether this node holds the leader's key and its PostgreSQL takes writes: it has the key before it is promoted. */
    public boolean isLeader() {
        return isRunning() && Http.status(http, rest("/primary"), Map.of()) == OK && takesWrites();
    }

    private boolean takesWrites() {
        return ask("SELECT 1 - pg_is_in_recovery()::int") == 1;
    }

    long streamingStandbys() {
        return ask("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'");
    }

    /** The number that a question is answered with; 0 while the server starts or stops. */
    private long ask(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            return 0;
        }
    }

    URI rest(String path) {
        return URI.create("http://%s:%d%s".formatted(host(), port("rest"), path));
    }

    TcpProxy replication() {
        return replication;
    }

    @Override
    public int port() {
        return port("clients");
    }

    @Override
    public String user() {
        return USER;
    }

    @Override
    public String password() {
        return cluster.password();
    }

    @Override
    public String database() {
        return "postgres";
    }

    @Override
    protected Launch prepare() {
        replication.moveTo(host(), port());
        PostgresUser user = PostgresUser.current();
        user.openFolder(folder());
        Path home = Folders.create(folder().resolve("node"));
        Path config = home.resolve("patroni.yml");
        Path subreaper = home.resolve("subreaper.py");
        Folders.write(config, configuration(home));
        Folders.write(subreaper, subreaper());
        user.own(home);
        List<String> command =
                List.of(Programs.path("python3"), subreaper.toString(), Programs.path("patroni"), config.toString());
        return new Launch(user.command(command), Map.of());
    }

    private String configuration(Path home) {
        return """
                scope: testkit
                name: %1$s
                restapi: {listen: '%2$s:%4$d', connect_address: '%2$s:%4$d'}
                etcd3: {host: '%5$s'}
                bootstrap:
                  dcs: %6$s
                  initdb: [encoding: UTF8, locale: C, auth: scram-sha-256, no-sync]
                postgresql:
                  listen: '%2$s:%3$d'
                  connect_address: '%7$s:%8$d'
                  data_dir: '%9$s/data'
                  bin_dir: '%10$s'
                  pgpass: '%9$s/pgpass'
                  basebackup: [checkpoint: fast, no-sync]
                  authentication:
                    superuser: {username: %11$s, password: '%12$s'}
                    replication: {username: standby, password: '%12$s'}
                  pg_hba:
                    - host all all 127.0.0.1/32 scram-sha-256
                    - host replication standby 127.0.0.1/32 scram-sha-256
                  parameters: {unix_socket_directories: '', fsync: 'off', log_line_prefix: '%%m [%%p] %%a '}
                watchdog: {mode: 'off'}
                """.formatted(
                        name,
                        host(),
                        port(),
                        port("rest"),
                        cluster.etcd(),
                        cluster.firstConfiguration(),
                        replication.host(),
                        replication.port(),
                        home,
                        Patroni.postgresPrograms(),
                        USER,
                        password());
    }

    private static String subreaper() {
        try (InputStream resource = PatroniNode.class.getResourceAsStream("subreaper.py")) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Patroni's own answer to whether its PostgreSQL runs: a standby that is still copied does not. */
    @Override
    protected boolean isReady() {
        return Http.status(http, rest("/health"), Map.of()) == OK;
    }

    @Override
    public String toString() {
        return "Patroni " + name + " with PostgreSQL " + host() + ":" + port();
    }
}
