package io.tidegate.connect.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Creates and deletes temporary folders of commands. */
public final class TempFolders {
    private TempFolders() {}

    /** Creates a new temporary folder. */
    public static Path create(String prefix) throws ToolException {
        try {
            return Files.createTempDirectory(prefix);
        } catch (IOException e) {
            throw new ToolException("cannot create a temporary folder: " + e.getMessage(), e);
        }
    }

    /** Deletes a folder and its contents. */
    public static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + folder, e);
        }
    }
}
