package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.net.Passwords;
import io.tidegate.connect.testkit.process.Commands;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.JvmEnd;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What {@code initdb} made, which the data of a new server are a copy of. It stays on disk, beside the extracted
 * programs, for the next JVM: one for each version, user and set of options. The password of all of them is in a file
 * that only the user can read. Thread-safe, also among JVMs.
 */
final class PostgresTemplate {
    private static final Duration INITDB = Duration.ofMinutes(1);
    private static final int FIRST_BUILTIN_LOCALES = 17;

    /**
     * The default of 4,096 iterations takes a client 20 ms of CPU for each connection, most of what many tests need. The
     * server's passwords are random, and it listens on loopback.
     */
    private static final int FIRST_SCRAM_ITERATIONS = 16;

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_READS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path folder;

    /** @param folder of the templates and their password */
    PostgresTemplate(Path folder) {
        this.folder = folder;
    }

    /** Those of this user. */
    static PostgresTemplate ofUser() {
        return new PostgresTemplate(Path.of(
                System.getProperty("java.io.tmpdir"),
                "tidegate-postgres-data-%s".formatted(System.getProperty("user.name"))));
    }

    /** The superuser's password in every template. */
    String password() {
        try {
            Path file = open().resolve("password");
            if (!Files.exists(file)) {
                Path fresh = Files.createTempFile(folder, "password-", "", OWNER_READS);
                Files.writeString(fresh, Passwords.random());
                keepOnlyOne(fresh, file);
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw new ServerException("Cannot keep a password in " + folder + ": " + e, e);
        }
    }

    /** Unlike a move, a link does not replace the one of another JVM. */
    private static void keepOnlyOne(Path fresh, Path file) throws IOException {
        try {
            Files.createLink(file, fresh);
        } catch (FileAlreadyExistsException e) {
            // The other one's password is as good.
        } finally {
            Files.delete(fresh);
        }
    }

    /**
     * The data folder of a template, which is made if there is none.
     *
     * @param log for the output of {@code initdb}
     */
    Path data(PostgresBinaries binaries, String user, Path log) {
        try {
            List<String> command = command(binaries, user);
            String secret = password();
            Path data = folder.resolve("%d-%08x"
                    .formatted(
                            binaries.major(),
                            Objects.hash(
                                    command,
                                    secret,
                                    Files.getLastModifiedTime(Path.of(binaries.program("postgres"))))));
            if (!isWhole(data)) {
                if (Files.exists(data)) {
                    Folders.delete(data);
                }
                initialize(command, secret, data, log);
            }
            return data;
        } catch (IOException e) {
            throw new ServerException("Cannot keep a database in " + folder + ": " + e, e);
        }
    }

    /** What cleans temporary folders removes files that nobody has read for some days, and leaves their folders. */
    private static boolean isWhole(Path data) {
        return Files.exists(data.resolve("postgresql.conf"))
                && Files.exists(data.resolve("global").resolve("pg_control"));
    }

    /** The folder, which is no other user's: that user could replace what it holds. */
    private Path open() throws IOException {
        if (!Files.exists(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        PostgresBinaries.requireOwn(folder);
        PostgresUser.current().openFolder(folder);
        return folder;
    }

    private void initialize(List<String> initdb, String secret, Path data, Path log) throws IOException {
        Path fresh = Files.createTempDirectory(folder, "fresh-");
        JvmEnd.beforeServersEnd(() -> Folders.delete(fresh));
        try {
            PostgresUser.current().openFolder(fresh);
            Path made = Folders.create(fresh.resolve("data"));
            Path password = fresh.resolve("password");
            Files.writeString(Files.createFile(password, OWNER_READS), secret + "\n");
            PostgresUser.current().own(made);
            PostgresUser.current().own(password);
            List<String> command = new ArrayList<>(initdb);
            command.addAll(List.of("--pgdata=" + made, "--pwfile=" + password));
            Commands.run(PostgresUser.current().command(command), fresh, log, INITDB);
            Files.move(made, data, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.exists(data)) {
                throw e;
            }
        } finally {
            Folders.delete(fresh);
        }
    }

    private static List<String> command(PostgresBinaries binaries, String user) {
        List<String> command = new ArrayList<>(List.of(
                binaries.program("initdb"),
                "--username=" + user,
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
        return command;
    }
}
