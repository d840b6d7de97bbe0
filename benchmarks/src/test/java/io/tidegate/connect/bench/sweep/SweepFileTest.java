package io.tidegate.connect.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Summary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SweepFileTest {
    @TempDir
    private Path folder;

    @Test
    void callsTheSinkBenchmarkForEachTopic() throws Exception {
        Path file = Files.writeString(
                folder.resolve("x.yaml"),
                "config: es\ntasks: [1, 2]\npartitions: [4, 8]\nrecord-bytes: [100, 200]\nvary:\n  batch.size: [1, 2]\n");

        List<SweepFile.Cell> cells = SweepFile.read(file).cells();

        assertThat(cells)
                .extracting(SweepFile.Cell::name)
                .containsExactly(
                        "100-bytes-4-partitions",
                        "100-bytes-8-partitions",
                        "200-bytes-4-partitions",
                        "200-bytes-8-partitions");
        assertThat(String.join(" ", cells.get(1).arguments()))
                .isEqualTo("--config es --input noaa --tasks 1,2 --runs 1 --warm-ups 1 --records 200000 --partitions 8"
                        + " --record-bytes 100 --vary batch.size=1,2");
    }

    @Test
    void tellsKeysApartAndTakesAsManyRecordsAsTheMegabytesHold() throws Exception {
        Path file = Files.writeString(folder.resolve("x.yaml"), """
                config: [jsonb-upsert, jsonb-update]
                peer: debezium-upsert
                keys: [random, rising]
                document-bytes: 5000
                megabytes: 2
                raw-client: true
                """);

        List<SweepFile.Cell> cells = SweepFile.read(file).cells();

        assertThat(cells)
                .extracting(SweepFile.Cell::name)
                .containsExactly("random-keys-5000-bytes-4-partitions", "rising-keys-5000-bytes-4-partitions");
        assertThat(String.join(" ", cells.get(0).arguments()))
                .isEqualTo("--config jsonb-upsert --config jsonb-update --peer debezium-upsert --input noaa --tasks 1"
                        + " --runs 1 --warm-ups 1 --records 400 --partitions 4 --keys random --document-bytes 5000"
                        + " --raw-client");
    }

    @Test
    void refusesANumberThatIsNone() throws Exception {
        Path file = Files.writeString(folder.resolve("x.yaml"), "records: 1,000,000\n");
        assertThatThrownBy(() -> SweepFile.read(file))
                .hasMessage(file + ": records must be a number, not \"1,000,000\"");
        Files.writeString(file, "megabytes: 2 GB\n");
        assertThatThrownBy(() -> SweepFile.read(file)).hasMessage(file + ": megabytes must be a number, not \"2 GB\"");
    }

    @Test
    void understandsEveryFileThatIsShipped() throws Exception {
        try (Stream<Path> files = Files.list(Path.of("sweeps"))) {
            for (Path file : files.toList()) {
                assertThat(SweepFile.read(file).cells()).as("%s", file).isNotEmpty();
            }
        }
    }

    private static Results part(int tasks, double rate) {
        CandidateInfo entrant = new CandidateInfo(
                "jsonb batch.size=9, " + tasks + " tasks", "connector", "postgresql", tasks, Map.of("batch.size", "9"));
        List<Run> runs =
                List.of(new Run(entrant.label(), 1, Run.OK, false, Map.of(Measure.STEADY_RATE.key(), rate), List.of()));
        return new Results(
                Results.FORMAT,
                "sink",
                "",
                "",
                true,
                Map.of("processors", "2"),
                Map.of("partitions", "8"),
                List.of(entrant),
                runs,
                Summary.of(List.of(entrant), runs),
                List.of());
    }

    @Test
    void tellsTheCellsApartInOneResult() {
        Results merged = Merge.of(Map.of("4-partitions", part(2, 100)), "./bench sweep x", true);

        assertThat(merged.entrants())
                .extracting(CandidateInfo::label)
                .containsExactly("jsonb batch.size=9 4-partitions, 2 tasks");
        assertThat(merged.summary().lines()).hasSize(1);
    }
}
