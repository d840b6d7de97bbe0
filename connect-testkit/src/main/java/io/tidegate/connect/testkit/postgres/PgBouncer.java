package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.process.ChildServer;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.Ports;
import io.tidegate.connect.testkit.process.Programs;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The installed PgBouncer with its default settings, in front of a {@link PostgresServer}. It has the server's users,
 * passwords and databases, on another port.
 */
public final class PgBouncer extends ChildServer {
    /** When PgBouncer returns a server session to its pool. */
    public enum PoolMode {
        SESSION,
        TRANSACTION,
        STATEMENT
    }

    private final PostgresServer server;
    private final PoolMode mode;

    private PgBouncer(PostgresServer server, PoolMode mode) {
        super("pgbouncer");
        this.server = server;
        this.mode = mode;
    }

    /** Whether the program is on the {@code PATH} or in {@code /usr/sbin}. */
    public static boolean isInstalled() {
        return Programs.find("pgbouncer").isPresent();
    }

    /** Creates a PgBouncer without starting it. At its start it needs only the server's address. */
    public static PgBouncer inFrontOf(PostgresServer server, PoolMode mode) {
        return new PgBouncer(Objects.requireNonNull(server, "server"), Objects.requireNonNull(mode, "mode"));
    }

    /** The URL without user and password; use those of the server. Does not change after the first start. */
    public String jdbcUrl() {
        return "jdbc:postgresql://%s:%d/%s".formatted(host(), port("clients"), server.database());
    }

    public String host() {
        return "127.0.0.1";
    }

    @Override
    protected Launch prepare() {
        Path users = folder().resolve("users.txt");
        Folders.write(users, "\"%s\" \"%s\"\n".formatted(server.user(), server.password()));
        Path config = folder().resolve("pgbouncer.ini");
        Folders.write(config, """
                [databases]
                * = host=%s port=%d
                [pgbouncer]
                listen_addr = %s
                listen_port = %d
                unix_socket_dir =
                auth_type = scram-sha-256
                auth_file = %s
                pool_mode = %s
                """.formatted(
                        server.host(),
                        server.port(),
                        host(),
                        port("clients"),
                        users,
                        mode.name().toLowerCase(Locale.ROOT)));
        PostgresUser.current().openFolder(folder());
        PostgresUser.current().own(users);
        PostgresUser.current().own(config);
        String program = Programs.path("pgbouncer");
        return new Launch(PostgresUser.current().command(List.of(program, config.toString())), Map.of());
    }

    @Override
    protected boolean isReady() {
        return Ports.accepts(port("clients"));
    }

    @Override
    public String toString() {
        return "PgBouncer " + host() + ":" + port("clients");
    }
}
