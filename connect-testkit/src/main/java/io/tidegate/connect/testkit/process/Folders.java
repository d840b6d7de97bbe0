package io.tidegate.connect.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.regex.Pattern;

/** Creates, writes and deletes the folders of servers. */
public final class Folders {
    /** A name, and the number that makes it unique. */
    private static final Pattern TEMPORARY = Pattern.compile("tidegate-.+-[0-9]{6,}");

    private Folders() {}

    /** Creates a new temporary folder. */
    public static Path temporary(String kind) {
        try {
            return Files.createTempDirectory("tidegate-" + kind + "-").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it is in a folder that {@link #temporary} has created. A checkout may be beside these. */
    static boolean isTemporary(Path file) {
        for (Path each = file.toAbsolutePath(); each != null; each = each.getParent()) {
            if (each.getFileName() != null
                    && TEMPORARY.matcher(each.getFileName().toString()).matches()) {
                return true;
            }
        }
        return false;
    }

    public static Path create(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The log file of the server that has this folder; see {@link Server#log}. */
    public static Path logFile(Path folder) {
        String kept = System.getProperty("testkit.log.folder", "");
        return kept.isEmpty()
                ? folder.resolve("server.log")
                : create(Path.of(kept)).toAbsolutePath().resolve(folder.getFileName() + ".log");
    }

    /** Deletes the folder. Ignores files that another process deletes meanwhile. */
    public static void delete(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                    if (failure instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw failure;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                    Files.deleteIfExists(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + folder, e);
        }
    }
}
