package io.tidegate.connect.testkit.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs of the system that servers are started from. */
public final class Programs {
    private Programs() {}

    /** A program on the search path, or where systems keep those of the superuser. */
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
