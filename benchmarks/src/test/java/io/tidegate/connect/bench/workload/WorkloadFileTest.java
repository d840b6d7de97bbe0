package io.tidegate.connect.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkloadFileTest {
    @TempDir
    private Path folder;

    @Test
    void readsBurstsAndRepeatsThem() throws Exception {
        Path file = Files.writeString(
                folder.resolve("x.yaml"),
                "warm-up-seconds: 5\nrepeat: 2\nphases:\n- {name: quiet, rate: 10, seconds: 30}\n- {rate: 1000, seconds: 30}\n");

        WorkloadFile load = WorkloadFile.read(file);

        assertThat(load.phases())
                .extracting(LoadPhase::name)
                .containsExactly("warm-up", "quiet", "phase 2", "quiet", "phase 2");
        assertThat(load.phases().get(0)).isEqualTo(new LoadPhase("warm-up", new Phase(10, 10, 5), false));
    }

    @Test
    void readsWhatTheRecordsAreAndWhatBecomesOfLateOnes() throws Exception {
        Path file = Files.writeString(
                folder.resolve("x.yaml"),
                "input: mine.jsonl\nrecord-bytes: 4194304\nlate-records: drop\nworker-heap: 2g\nphases:\n- {seconds: 1}\n");

        WorkloadFile load = WorkloadFile.read(file);

        assertThat(load.input()).contains(Path.of("mine.jsonl"));
        assertThat(load.recordBytes()).contains(4 << 20);
        assertThat(load.late()).isEqualTo(Timetable.Late.DROP);
        assertThat(load.workerHeap()).isEqualTo("2g");
    }

    @Test
    void understandsEveryFileThatIsShipped() throws Exception {
        try (Stream<Path> files = Files.list(Path.of("workloads"))) {
            for (Path file : files.toList()) {
                assertThat(WorkloadFile.read(file).phases()).as("%s", file).hasSizeGreaterThan(1);
            }
        }
    }

    @Test
    void saysWhatItDoesNotUnderstand() throws Exception {
        Path file = Files.writeString(folder.resolve("x.yaml"), "phases:\n- {rate: 1, second: 3}\n");
        assertThatThrownBy(() -> WorkloadFile.read(file))
                .hasMessageContaining("unknown key \"second\"; the keys are from, ");
        Files.writeString(file, "phases:\n- {name: a, rate: 1}\n");
        assertThatThrownBy(() -> WorkloadFile.read(file))
                .hasMessage(file + ": a: a phase needs seconds above 0 and no negative rate");
        Files.writeString(file, "late-records: never\nphases:\n- {rate: 1, seconds: 1}\n");
        assertThatThrownBy(() -> WorkloadFile.read(file))
                .hasMessage(file + ": late-records must be send or drop, not never");
        Files.writeString(file, "record-bytes: 5MB\nphases:\n- {rate: 1, seconds: 1}\n");
        assertThatThrownBy(() -> WorkloadFile.read(file))
                .hasMessage(file + ": record-bytes must be 32 to 8388608, not 5MB");
        Files.writeString(file, "phases:\n- rate: 10,000\n  seconds: 3\n");
        assertThatThrownBy(() -> WorkloadFile.read(file)).hasMessage(file + ": rate must be a number, not \"10,000\"");
        Files.writeString(file, "phases:\n- {to: fast, seconds: 3}\n");
        assertThatThrownBy(() -> WorkloadFile.read(file)).hasMessage(file + ": to must be a number, not \"fast\"");
        for (String key : List.of("tasks", "partitions", "repeat", "warm-up-seconds")) {
            Files.writeString(file, key + ": two\nphases:\n- {rate: 1, seconds: 1}\n");
            assertThatThrownBy(() -> WorkloadFile.read(file))
                    .hasMessage(file + ": " + key + " must be a number, not \"two\"");
        }
        Files.writeString(file, "tasks: 1\n");
        assertThatThrownBy(() -> WorkloadFile.read(file)).hasMessage(file + ": there are no phases");
    }
}
