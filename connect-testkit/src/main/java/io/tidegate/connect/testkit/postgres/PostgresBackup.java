package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * Copies a running server's data folder with the low-level backup functions, because the jar has no {@code
 * pg_basebackup}. The procedure, and what it leaves out, follows "Making a Base Backup Using the Low Level API" in
 * PostgreSQL's manual.
 */
final class PostgresBackup {
    private static final Set<String> LEFT_OUT_FILES =
            Set.of("postmaster.pid", "postmaster.opts", "backup_label", "tablespace_map", "standby.signal");
    private static final Set<String> EMPTIED_FOLDERS = Set.of(
            "pg_wal",
            "pg_replslot",
            "pg_dynshmem",
            "pg_notify",
            "pg_serial",
            "pg_snapshots",
            "pg_stat_tmp",
            "pg_subtrans",
            "pgsql_tmp");

    private final PostgresServer from;
    private final String slot;

    PostgresBackup(PostgresServer from, String slot) {
        this.from = from;
        this.slot = slot;
    }

    /** Copies the data folder. A new slot on the server keeps the write-ahead log from the start on. */
    void copyTo(Path data) {
        try (Connection connection = from.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_create_physical_replication_slot('" + slot + "', true)");
            statement.execute("SELECT pg_backup_start('" + slot + "', fast => true)");
            copyFiles(from.data(), data);
            try (ResultSet stop =
                    statement.executeQuery("SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)")) {
                stop.next();
                Folders.write(data.resolve("backup_label"), stop.getString(1));
            }
            Folders.write(data.resolve("standby.signal"), "");
        } catch (SQLException | IOException e) {
            throw new ServerException("Cannot copy the data of %s to %s: %s".formatted(from, data, e), e);
        }
    }

    private static void copyFiles(Path source, Path target) throws IOException {
        Files.walkFileTree(source, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Path copy = target.resolve(source.relativize(folder).toString());
                Files.createDirectories(
                        copy, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                boolean emptied = EMPTIED_FOLDERS.contains(folder.getFileName().toString());
                return emptied ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!LEFT_OUT_FILES.contains(file.getFileName().toString())) {
                    copyUnlessGone(file, target.resolve(source.relativize(file).toString()));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }
        });
    }

    /** Ignores files that vanish because their table is dropped. The log contains the drop, so a replay repeats it. */
    private static void copyUnlessGone(Path file, Path copy) throws IOException {
        try {
            Files.copy(file, copy);
        } catch (NoSuchFileException e) {
            Files.deleteIfExists(copy);
        }
    }
}
