package io.tidegate.connect.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Sample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes into a measurement: readings in other forms, and loads of a generator. */
final class BenchInputIT {
    private final CommandLineRun line = new CommandLineRun();

    /** The index has the name that only the reading itself contains. */
    @Test
    void storesReadingsFromAvroAndFromChangeEvents(@TempDir Path folder) throws Exception {
        Path readings = Files.writeString(
                folder.resolve("readings.jsonl"), "{\"kind\":\"bench\",\"level\":1.5,\"sigma\":null}\n".repeat(100));

        line.succeeds(
                "sink --config es --set index.name=${field:$.kind} --input " + readings
                        + " --records 100 --value-form avro,avro-converter,debezium-schema --runs 1 --warm-ups 0",
                folder);
        assertThat(new ResultFiles(folder).read().runs()).hasSize(3).allMatch(Run::isOk);
    }

    /** The table is filled before the run, so the number of its rows says nothing of how many are deleted. */
    @Test
    void countsDeletionsOfRowsThatExist(@TempDir Path folder) throws Exception {
        line.succeeds(
                "sink --config jsonb-delete --value-form tombstone --keys random --records 500 --runs 1 --warm-ups 0",
                folder);
        List<Run> runs = new ResultFiles(folder).read().runs();
        assertThat(runs).singleElement().matches(Run::isOk);
        assertThat(runs.get(0).series()).last().extracting(Sample::stored).isEqualTo(500L);
    }

    @Test
    void sendsALoadOfExactlyTheRecordsThatTheFileAsksFor(@TempDir Path folder) throws Exception {
        Path load = Files.writeString(folder.resolve("load.yaml"), """
                watch-commits: true
                warm-up-seconds: 0
                phases:
                  - {name: low, rate: 100, seconds: 2}
                  - {name: high, rate: 1000, seconds: 2}
                """);

        line.succeeds("workload " + load, folder);
        Results results = new ResultFiles(folder).read();
        assertThat(results.complete()).isTrue();
        assertThat(results.settings()).containsEntry("latency_until", "visible").containsEntry("records_sent", "2200");
        assertThat(results.runs())
                .extracting(Run::entrant)
                .containsExactly("jsonb, 2 tasks: low", "jsonb, 2 tasks: high");
        assertThat(results.runs())
                .allSatisfy(run -> assertThat(run.measure(Measure.LATENCY_P99)).isPresent());
    }
}
