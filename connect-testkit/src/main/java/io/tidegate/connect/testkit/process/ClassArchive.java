package io.tidegate.connect.testkit.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The classes of a server in a file that the server's later JVMs map, so that they start with a third less CPU. The
 * first JVM that stops cleanly writes it, beside the jar of the server's module. The JVM does without a file that does
 * not fit. Source: JEP 350, "Dynamic CDS Archives". Thread-safe.
 */
final class ClassArchive {
    private static final String RECORD = "-XX:ArchiveClassesAtExit=";
    private static final String QUIET = "-Xlog:cds*=off"; // the server's log is for the server
    private static final Duration WRITING = Duration.ofSeconds(30);
    private static final int KILLED = 137; // 128 + SIGKILL, as a shell reports it

    /**
     * By the archive that a server of this JVM writes: the locked file beside it, so that a server of another JVM, such as
     * the next fork of the tests, does not write it too. The lock ends with this JVM at the latest.
     */
    private static final Map<Path, FileChannel> RECORDING = new HashMap<>();

    private ClassArchive() {}

    /**
     * The options that use the archive, or write it if there is none and the JVM shall start fast. None for a class path
     * with folders, or with an agent, for which the JVM writes no archive; none for one with temporary files, because
     * nobody would find the archive again; and none on another JDK than this JVM's, where servers start too seldom for
     * what writing costs.
     *
     * @param options the others
     */
    static List<String> options(Jvm jvm, String classPath, List<String> options, String mainClass) {
        List<Path> jars = Arrays.stream(classPath.split(File.pathSeparator, -1))
                .map(Path::of)
                .toList();
        if (!jvm.java().equals(JavaHome.current())
                || !jars.stream().allMatch(Files::isRegularFile)
                || jars.stream().anyMatch(Folders::isTemporary)
                || options.stream().anyMatch(option -> option.startsWith("-javaagent:"))) {
            return List.of();
        }
        Path archive = jars.get(0)
                .resolveSibling("%s-%08x.jsa"
                        .formatted(
                                mainClass.substring(mainClass.lastIndexOf('.') + 1),
                                Objects.hash(
                                        jvm.java().program("java"), jvm.java().feature(), classPath)));
        if (isNewerThan(archive, jars)) {
            return List.of("-XX:SharedArchiveFile=" + archive, QUIET);
        }
        if (!jvm.fast() || !Files.isWritable(archive.getParent()) || !isToBeWritten(archive)) {
            return List.of();
        }
        return List.of(RECORD + archive + "." + ProcessHandle.current().pid(), QUIET);
    }

    /** Whether no other server writes the archive. None will until {@link #letOthersWrite}. */
    private static boolean isToBeWritten(Path archive) {
        synchronized (RECORDING) {
            if (RECORDING.containsKey(archive)) {
                return false;
            }
            try {
                FileChannel file =
                        FileChannel.open(lockFile(archive), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                if (file.tryLock() == null) {
                    file.close();
                    return false;
                }
                RECORDING.put(archive, file);
                return true;
            } catch (IOException e) {
                return false; // a file system without locks: servers start without an archive
            }
        }
    }

    private static void letOthersWrite(Path archive) throws IOException {
        synchronized (RECORDING) {
            FileChannel file = RECORDING.remove(archive);
            if (file != null) {
                Files.deleteIfExists(lockFile(archive));
                file.close();
            }
        }
    }

    private static Path lockFile(Path archive) {
        return archive.resolveSibling(archive.getFileName() + ".recording");
    }

    /** Whether a JVM with these options writes an archive. */
    static boolean isWrittenWith(List<String> options) {
        return recorded(options).isPresent();
    }

    private static boolean isNewerThan(Path archive, List<Path> jars) {
        return Files.exists(archive) && jars.stream().noneMatch(jar -> modified(jar) > modified(archive));
    }

    private static long modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toMillis();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The additional time that a JVM needs to end after it was started with this command. */
    static Duration writing(List<String> command) {
        return recorded(command).map(file -> WRITING).orElse(Duration.ZERO);
    }

    /** Keeps what a JVM has written that was started with this command, and has ended with this code. */
    static void keep(List<String> command, int exitCode) {
        recorded(command).ifPresent(file -> {
            String name = file.getFileName().toString();
            Path archive = file.resolveSibling(name.substring(0, name.lastIndexOf('.')));
            try {
                try {
                    if (exitCode != KILLED && Files.exists(file)) {
                        Files.move(file, archive, StandardCopyOption.ATOMIC_MOVE);
                    } else {
                        Files.deleteIfExists(file);
                    }
                } finally {
                    letOthersWrite(archive);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Optional<Path> recorded(List<String> command) {
        return command.stream()
                .filter(option -> option.startsWith(RECORD))
                .map(option -> Path.of(option.substring(RECORD.length())))
                .findFirst();
    }
}
