package io.tidegate.connect.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Each benchmark runs, in this JVM and for a moment: what it measures so is worth nothing and is not looked at. */
final class MicroBenchmarksIT {
    @Test
    void everyBenchmarkRuns() throws RunnerException {
        Options options = new OptionsBuilder()
                .param("records", "100")
                .param("lanes", "5")
                .param("form", "BYTES", "STRUCT")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(1))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();

        Collection<RunResult> results = new Runner(options).run();

        assertThat(results.stream()
                        .map(result -> result.getParams().getBenchmark().replaceFirst("^.*\\.(\\w+\\.\\w+)$", "$1"))
                        .collect(Collectors.toSet()))
                .contains(
                        "BulkPathBenchmark.tidegate",
                        "BulkPathBenchmark.typedBulk",
                        "BulkPathBenchmark.bulkIngester",
                        "RowEncodingBenchmark.encodeCopy",
                        "AvroBenchmark.onePass",
                        "AvroBenchmark.converterAndEncoder");
    }
}
