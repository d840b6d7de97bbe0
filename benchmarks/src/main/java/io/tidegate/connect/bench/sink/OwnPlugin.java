package io.tidegate.connect.bench.sink;

import io.tidegate.connect.bench.Bench;
import io.tidegate.connect.bench.BenchException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The plugin of the benchmark's own connectors: workers load it in isolation like any other. */
final class OwnPlugin {
    private OwnPlugin() {}

    /** What goes into {@code plugin.path}. */
    static Path folder() throws BenchException {
        Path folder = Bench.root().resolve("benchmarks/connectors/target/plugin");
        if (!Files.isDirectory(folder)) {
            throw new BenchException(folder + " is not built: mvn package -DskipTests -pl benchmarks/connectors");
        }
        return folder;
    }
}
