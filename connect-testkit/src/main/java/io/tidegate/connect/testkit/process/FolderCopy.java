package io.tidegate.connect.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** A snapshot of a folder's few small files. It can be restored after the folder was deleted. */
final class FolderCopy {
    private final Path folder;
    private final Map<Path, byte[]> contents = new HashMap<>();
    private final Map<Path, Set<PosixFilePermission>> permissions = new HashMap<>();

    private FolderCopy(Path folder) {
        this.folder = folder;
    }

    static FolderCopy of(Path folder) {
        FolderCopy copy = new FolderCopy(folder);
        try (Stream<Path> found = Files.walk(folder)) {
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                copy.contents.put(file, Files.readAllBytes(file));
                copy.permissions.put(file, Files.getPosixFilePermissions(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return copy;
    }

    void restore() {
        Folders.create(folder);
        contents.forEach((file, content) -> {
            Folders.create(file.getParent());
            try {
                Files.write(file, content);
                Files.setPosixFilePermissions(file, permissions.get(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
