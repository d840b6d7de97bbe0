package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.net.Ports;
import io.tidegate.connect.testkit.process.ChildServer;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.Programs;
import io.tidegate.connect.testkit.process.ServerException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * PgBouncer as the system has it, with its defaults, in front of a {@link PostgresServer}: same users, passwords and
 * databases, another port.
 */
public final class PgBouncer extends ChildServer {
    /** When a server's session goes back to PgBouncer's pool. */
    public enum PoolMode {
        SESSION,
        TRANSACTION,
        STATEMENT
    }

    private static final Optional<Path> PROGRAM = Programs.find("pgbouncer");

    private final PostgresServer server;
    private final PoolMode mode;
    private int port;

    private PgBouncer(PostgresServer server, PoolMode mode) {
        super("pgbouncer");
        this.server = server;
        this.mode = mode;
        choosePorts();
    }

    /** Whether there is one on the search path or in {@code /usr/sbin}. */
    public static boolean isInstalled() {
        return PROGRAM.isPresent();
    }

    /** One that is not started yet; its start needs the server's address only. */
    public static PgBouncer inFrontOf(PostgresServer server, PoolMode mode) {
        return new PgBouncer(Objects.requireNonNull(server, "server"), Objects.requireNonNull(mode, "mode"));
    }

    /** Without user and password, which are the server's. Fixed once PgBouncer has started. */
    public String jdbcUrl() {
        return "jdbc:postgresql://%s:%d/%s".formatted(host(), port, server.database());
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return port;
    }

    @Override
    protected void choosePorts() {
        port = Ports.free();
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
                server.host(), server.port(), host(), port, users, mode.name().toLowerCase(Locale.ROOT)));
        PostgresUser.current().openFolder(folder());
        PostgresUser.current().own(users);
        PostgresUser.current().own(config);
        String program = PROGRAM.orElseThrow(() -> new ServerException("pgbouncer is not installed"))
                .toString();
        return new Launch(PostgresUser.current().command(List.of(program, config.toString())), Map.of());
    }

    @Override
    protected boolean isReady() {
        return Ports.accepts(port);
    }

    @Override
    public String toString() {
        return "PgBouncer " + host() + ":" + port;
    }
}
