package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A PostgreSQL server with the extension {@code vector} (pgvector), as Debian's package {@code postgresql-17-pgvector}
 * installs it. The environment variable {@code TIDEGATE_PGVECTOR_HOME} names the folder of another one: the first number
 * of its version is the folder's name.
 */
public final class PgVector {
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

    /** What to say without one. */
    public static final String NOT_INSTALLED = "no PostgreSQL with pgvector is installed (Debian 13: apt-get install"
            + " postgresql-17-pgvector), and TIDEGATE_PGVECTOR_HOME names none";

    private PgVector() {}

    /** Whether this machine has one. */
    public static boolean isInstalled() {
        return find().isPresent();
    }

    /**
     * The folder that holds {@code bin/postgres}.
     *
     * @throws ServerException if there is none
     */
    static Path home() {
        return find().orElseThrow(() -> new ServerException(NOT_INSTALLED));
    }

    private static Optional<Path> find() {
        Optional<Path> named =
                Optional.ofNullable(System.getenv("TIDEGATE_PGVECTOR_HOME")).map(Path::of);
        return named.isPresent() ? named : ofDebian();
    }

    private static Optional<Path> ofDebian() {
        if (!Files.isDirectory(DEBIAN)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(DEBIAN)) {
            return versions.filter(home -> Files.exists(home.resolve("lib/vector.so")))
                    .max(Path::compareTo);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
