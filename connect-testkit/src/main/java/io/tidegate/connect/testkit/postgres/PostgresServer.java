package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.net.Certificates;
import io.tidegate.connect.testkit.process.ChildServer;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.ServerException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A PostgreSQL server on loopback with SCRAM password authentication; superuser and database are {@code postgres}. It
 * can have streaming standbys. {@code fsync} is on unless {@link Builder#fastStart} was called.
 */
public final class PostgresServer extends ChildServer implements Postgres {
    private static final String USER = "postgres";
    private static final String DATABASE = "postgres";
    private static final String TLS = "ssl";
    private static final String ON = "on";
    private static final String OFF = "off";
    private static final Duration SYNCHRONOUS = Duration.ofSeconds(30);
    private static final int PROMOTE_SECONDS = 60;

    private final String password;
    private final Map<String, String> settings;
    private final Optional<PostgresServer> primary;
    private final Optional<Certificates> certificates;
    private final PostgresData data;
    private final Supplier<PostgresBinaries> binaries;

    private PostgresServer(
            String password,
            Map<String, String> settings,
            Optional<PostgresServer> primary,
            Supplier<PostgresBinaries> binaries) {
        super("postgres");
        this.binaries = binaries;
        this.password = password;
        this.settings = settings;
        this.primary = primary;
        certificates = settings.getOrDefault(TLS, ON).equals(ON)
                ? Optional.of(Certificates.authority(folder().resolve("certificates")))
                : Optional.empty();
        data = new PostgresData(folder().resolve("data"));
    }

    public static Builder builder() {
        return new Builder();
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
        return password;
    }

    @Override
    public String database() {
        return DATABASE;
    }

    /**
     * The certificate of the server's authority, PEM. TLS is optional for clients; see {@link Builder#withTls}.
     *
     * @throws IllegalStateException if the server has no TLS
     */
    public Path caCertificate() {
        return certificates
                .orElseThrow(() -> new IllegalStateException(this + " has no TLS: build it with withTls()"))
                .caCertificate();
    }

    /**
     * Creates a hot standby of this server without starting it, with the same settings, users and passwords. Its first
     * start copies the data folder of this server, which must be running, and streams from a separate replication slot.
     */
    public PostgresServer standby() {
        return new PostgresServer(password, settings, Optional.of(this), binaries);
    }

    /**
     * Promotes this standby to primary. Returns when it accepts writes.
     *
     * @throws ServerException if it is not a standby or is not promoted within 60 s
     */
    public void promote() {
        query("SELECT pg_promote(true, " + PROMOTE_SECONDS + ")", "t");
    }

    /**
     * Makes the standby synchronous: each commit on this primary waits until the standby has written it, even while the
     * standby is down. Returns when the standby has caught up.
     *
     * @throws ServerException if it has not caught up within 30 s
     */
    public void replicateSynchronously(PostgresServer standby) {
        ask("ALTER SYSTEM SET synchronous_standby_names = '\"" + standby.applicationName() + "\"'");
        query("SELECT pg_reload_conf()", "t");
        String sql = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND application_name = '"
                + standby.applicationName() + "'";
        if (!Poll.until(() -> ask(sql).equals("1"), SYNCHRONOUS)) {
            throw new ServerException(standby + " is not a synchronous standby of " + this + " after "
                    + SYNCHRONOUS.toSeconds() + " s, see " + standby.log());
        }
    }

    /**
     * Cuts this standby off from its primary, so that it knows nothing of later commits. Returns when it receives no
     * more.
     *
     * @throws ServerException if it still receives after 30 s
     */
    public void stopReceiving() {
        ask("ALTER SYSTEM SET primary_conninfo = ''");
        query("SELECT pg_reload_conf()", "t");
        if (!Poll.until(() -> ask("SELECT count(*) FROM pg_stat_wal_receiver").equals("0"), SYNCHRONOUS)) {
            throw new ServerException(this + " still receives after " + SYNCHRONOUS.toSeconds() + " s, see " + log());
        }
    }

    /**
     * Makes this server a standby of another one from its next start on. It must have been stopped, not killed, before
     * the other server was promoted.
     *
     * @throws IllegalStateException if it is running
     */
    public void follow(PostgresServer newPrimary) {
        if (isRunning()) {
            throw new IllegalStateException(this + " is running: stop it first");
        }
        data.follow(newPrimary, applicationName());
    }

    String connectionInfo(String applicationName) {
        return "host=%s port=%d user=%s password=%s application_name=%s"
                .formatted(host(), port(), USER, password, applicationName);
    }

    private String applicationName() {
        return "standby_" + folder().getFileName().toString().replaceAll("[^A-Za-z0-9]", "_");
    }

    @Override
    protected String stopSignal() {
        return "INT";
    }

    @Override
    protected Launch prepare() {
        PostgresUser.current().openFolder(folder());
        if (!data.exists()) {
            primary.ifPresentOrElse(
                    from -> data.copy(from, applicationName()), () -> data.initialize(binaries.get(), USER, log()));
        }
        data.configure(configuration());
        List<String> command =
                List.of(binaries.get().program("postgres"), "-D", data.folder().toString());
        return new Launch(PostgresUser.current().command(command), Map.of());
    }

    private Map<String, String> configuration() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("listen_addresses", host());
        all.put("port", Integer.toString(port()));
        all.put("unix_socket_directories", "");
        all.put("timezone", "UTC");
        all.put("log_timezone", "UTC");
        all.put("log_line_prefix", "%m [%p] %a ");
        all.put("max_slot_wal_keep_size", "2GB");
        certificates.ifPresent(authority -> all.putAll(tls(authority)));
        all.putAll(settings);
        return all;
    }

    /** With a new certificate. */
    private static Map<String, String> tls(Certificates authority) {
        Certificates.Identity identity = authority.server("server").issue();
        PostgresUser.current().own(identity.certificate().getParent());
        return Map.of(
                TLS,
                ON,
                "ssl_cert_file",
                identity.certificate().toString(),
                "ssl_key_file",
                identity.privateKey().toString(),
                "ssl_ca_file",
                authority.caCertificate().toString());
    }

    Path data() {
        return data.folder();
    }

    @Override
    protected boolean isReady() {
        return isRunning() && data.isServed(pid());
    }

    private void query(String sql, String expected) {
        String answer = ask(sql);
        if (!answer.equals(expected)) {
            throw new ServerException("%s: %s answered %s, see %s".formatted(this, sql, answer, log()));
        }
    }

    /** The first value of the first row, or an empty string for a statement without rows. */
    private String ask(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next() ? String.valueOf(rows.getString(1)) : "";
            }
        } catch (SQLException e) {
            throw new ServerException("%s: %s: %s".formatted(this, sql, e.getMessage()), e);
        }
    }

    @Override
    public String toString() {
        return "PostgreSQL " + host() + ":" + port();
    }

    public static final class Builder {
        private final Map<String, String> settings = new LinkedHashMap<>();
        private final Map<String, String> fast = new LinkedHashMap<>();
        private Supplier<PostgresBinaries> binaries = PostgresBinaries::ordinary;

        private Builder() {}

        /** Sets a setting of {@code postgresql.conf}. It overrides the testkit's own. */
        public Builder setting(String key, String value) {
            settings.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /** Sets {@code max_connections}; 100 by default. */
        public Builder maxConnections(int connections) {
            return setting("max_connections", Integer.toString(connections));
        }

        /**
         * For tests: switches {@code fsync} off, and TLS, which costs each connection of a test more than its statements.
         * Data survives a {@code kill} but not a crash of the machine.
         */
        public Builder fastStart() {
            fast.put("fsync", "off");
            fast.put("full_page_writes", "off");
            fast.put(TLS, OFF);
            return this;
        }

        /** Lets clients use TLS, also with {@link #fastStart}. */
        public Builder withTls() {
            return setting(TLS, ON);
        }

        /** Uses a server that has the extension {@code vector}, without TLS: {@link PgVector#isInstalled}. */
        public Builder withVectors() {
            settings.put(TLS, OFF);
            binaries = () -> PostgresBinaries.installed(PgVector.home());
            return this;
        }

        /** Creates a server without starting it. */
        public PostgresServer build() {
            Map<String, String> all = new LinkedHashMap<>(fast);
            all.putAll(settings);
            return new PostgresServer(
                    PostgresTemplate.ofUser().password(), Map.copyOf(all), Optional.empty(), binaries);
        }
    }
}
