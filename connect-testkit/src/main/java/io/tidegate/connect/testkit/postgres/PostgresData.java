package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.process.Commands;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The data folder of one server and its configuration. It is a copy of what {@code initdb} made, or of a primary's. */
final class PostgresData {
    private static final Duration COPY = Duration.ofMinutes(1);

    // Lines of postmaster.pid: LOCK_FILE_LINE_PID and LOCK_FILE_LINE_PM_STATUS in PostgreSQL's sources.
    private static final int PID_LINE = 0;
    private static final int STATUS_LINE = 7;

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

    /** The data of a new server, with the password of the templates. */
    void initialize(PostgresBinaries binaries, String user, Path log) {
        Path template = PostgresTemplate.ofUser().data(binaries, user, log);
        Commands.run(List.of("cp", "-R", "-p", template.toString(), folder.toString()), folder.getParent(), log, COPY);
        append("postgresql.conf", "include 'testkit.conf'\n");
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
