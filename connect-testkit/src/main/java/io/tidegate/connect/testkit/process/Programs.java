package io.tidegate.connect.testkit.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds installed programs. */
public final class Programs {
    private Programs() {}

    /**
     * The path of a program that {@link #find} finds.
     *
     * @throws ServerException if it finds none
     */
    public static String path(String name) {
        return find(name)
                .orElseThrow(() -> new ServerException(name + " is not installed"))
                .toString();
    }

    /** Searches the {@code PATH}, then the usual folders for system administration programs. */
    public static Optional<Path> find(String name) {
        return Stream.concat(
                        Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "")
                                .split(":", -1)),
                        Stream.of("/usr/sbin", "/usr/local/sbin"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
