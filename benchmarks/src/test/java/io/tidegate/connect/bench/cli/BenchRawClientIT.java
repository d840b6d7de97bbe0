package io.tidegate.connect.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.testkit.elasticsearch.OpenSearchRelease;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sink is measured beside. */
final class BenchRawClientIT {
    private final CommandLineRun line = new CommandLineRun();

    @Test
    void theRawClientSendsWhatTheSinkSends(@TempDir Path folder) throws Exception {
        line.succeeds(
                "sink --config es-upsert --keys random --raw-client --vary index.settings.number_of_shards=2"
                        + " --records 6000 --runs 1 --warm-ups 0",
                folder);

        assertThat(new ResultFiles(folder).read().runs())
                .allMatch(Run::isOk)
                .allSatisfy(run -> assertThat(run.measure(Measure.STORED_BYTES).orElseThrow())
                        .isPositive())
                .extracting(Run::entrant)
                .containsExactly(
                        "es-upsert index.settings.number_of_shards=2, 1 task",
                        "raw _bulk upsert, ids from keys index.settings.number_of_shards=2, 1 connection");
    }

    @Test
    void measuresOpenSearchBesideARawClient(@TempDir Path folder) throws Exception {
        assumeThat(OpenSearchRelease.V3.obstacle()).isEmpty();

        line.succeeds(
                "sink --config opensearch --config opensearch-auto --raw-client --records 6000 --runs 1 --warm-ups 0",
                folder);

        assertThat(new ResultFiles(folder).read().runs()).hasSize(4).allMatch(Run::isOk);
    }
}
