package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.process.Commands;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.JvmEnd;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The data folder of one server and its configuration. It is a copy of what {@code initdb} made, or of a primary's. */
final class PostgresData {
    private static final Duration INITDB = Duration.ofMinutes(1);
    private static final int FIRST_BUILTIN_LOCALES = 17;
    // Lines of postmaster.pid: LOCK_FILE_LINE_PID and LOCK_FILE_LINE_PM_STATUS in PostgreSQL's sources.
    private static final int PID_LINE = 0;
    private static final int STATUS_LINE = 7;

    /**
     * The default of 4,096 iterations takes a client 20 ms of CPU for each connection, most of what many tests need. The
     * server's passwords are random, and it listens on loopback.
     */
    private static final int FIRST_SCRAM_ITERATIONS = 16;

    /** By the program, the user and the password. */
    private static final Map<List<String>, Path> TEMPLATES = new ConcurrentHashMap<>();

    private final Path folder;

    PostgresData(Path folder) {
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    boolean exists() {
        return Files.exists(folder);
    }

    /** The data of a new server. Those of this JVM with the same password are copies of one. */
    void initialize(PostgresBinaries binaries, String user, String password, Path log) {
        Path template = TEMPLATES.computeIfAbsent(
                List.of(binaries.program("initdb"), user, password),
                unused -> initialized(binaries, user, password, log));
        Commands.run(
                List.of("cp", "-R", "-p", template.toString(), folder.toString()), folder.getParent(), log, INITDB);
    }

    private static Path initialized(PostgresBinaries binaries, String user, String password, Path log) {
        Path parent = Folders.temporary("postgres-template");
        JvmEnd.beforeServersEnd(() -> Folders.delete(parent));
        PostgresUser.current().openFolder(parent);
        PostgresData data = new PostgresData(Folders.create(parent.resolve("data")));
        Path secret = parent.resolve("password");
        Folders.write(secret, password + "\n");
        data.own();
        PostgresUser.current().own(secret);
        List<String> command = new ArrayList<>(List.of(
                binaries.program("initdb"),
                "--pgdata=" + data.folder,
                "--username=" + user,
                "--pwfile=" + secret,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync"));
        if (binaries.major() >= FIRST_BUILTIN_LOCALES) {
            command.addAll(List.of("--locale-provider=builtin", "--builtin-locale=C.UTF-8"));
        }
        if (binaries.major() >= FIRST_SCRAM_ITERATIONS) {
            command.add("--set=scram_iterations=1");
        }
        Commands.run(PostgresUser.current().command(command), parent, log, INITDB);
        data.append("postgresql.conf", "include 'testkit.conf'\n");
        return data.folder;
    }

    /** Copies the data of a running primary. From then on the primary keeps the log for this standby. */
    void copy(PostgresServer primary, String standby) {
        new PostgresBackup(primary, standby).copyTo(folder);
        append("postgresql.auto.conf", """
                synchronous_standby_names = ''
                primary_slot_name = '%s'
                primary_conninfo = '%s'
                """.formatted(standby, primary.connectionInfo(standby)));
    }

    /** Makes the next start a start as a standby of this primary. */
    void follow(PostgresServer primary, String standby) {
        append("postgresql.auto.conf", """
                primary_slot_name = ''
                primary_conninfo = '%s'
                """.formatted(primary.connectionInfo(standby)));
        Folders.write(folder.resolve("standby.signal"), "");
        own();
    }

    /** Writes the settings for the next start. They override those of {@code initdb}. */
    void configure(Map<String, String> settings) {
        StringBuilder text = new StringBuilder();
        settings.forEach((key, value) -> text.append("%s = '%s'%n".formatted(key, value.replace("'", "''"))));
        Folders.write(folder.resolve("testkit.conf"), text.toString());
        own();
    }

    private void own() {
        PostgresUser.current().own(folder);
    }

    private void append(String name, String text) {
        Path file = folder.resolve(name);
        try {
            Files.writeString(file, Files.readString(file) + text);
        } catch (IOException e) {
            throw new ServerException("Cannot append to " + file, e);
        }
    }

    /** Whether the process with this id accepts connections, by the same check as {@code pg_ctl}. */
    boolean isServed(long pid) {
        try {
            List<String> lines = Files.readAllLines(folder.resolve("postmaster.pid"));
            return lines.size() > STATUS_LINE
                    && lines.get(PID_LINE).strip().equals(Long.toString(pid))
                    && lines.get(STATUS_LINE).strip().equals("ready");
        } catch (IOException e) {
            return false;
        }
    }
}
