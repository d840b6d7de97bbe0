package io.tidegate.connect.check.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The oracle is worth something only if it shares no code with the sinks. */
final class IndependenceTest {
    @Test
    void importsNothingOfThisProjectButItself() throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.list(Path.of("src/main/java/io/tidegate/connect/check/oracle"))) {
            sources = files.toList();
        }

        assertThat(sources).hasSizeGreaterThan(10).allSatisfy(source -> assertThat(Files.readAllLines(source))
                .filteredOn(line -> line.contains("io.tidegate.connect.") && !line.startsWith("package "))
                .allMatch(line -> line.contains("io.tidegate.connect.check.oracle.")));
    }
}
