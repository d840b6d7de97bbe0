package io.tidegate.connect.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PhaseTest {
    @TempDir
    private Path folder;

    @Test
    void spacesRecordsEvenly() {
        Phase constant = new Phase("c", 100, 100, 10, true);

        assertThat(constant.records()).isEqualTo(1000);
        assertThat(constant.time(0)).isZero();
        assertThat(constant.time(250)).isEqualTo(2.5);
        assertThat(constant.due(2.5)).isEqualTo(250);
        assertThat(constant.due(99)).isEqualTo(1000);
    }

    @Test
    void risesAndFallsEvenly() {
        for (Phase ramp : List.of(new Phase("up", 0, 200, 10, true), new Phase("down", 200, 0, 10, true))) {
            assertThat(ramp.records()).isEqualTo(1000);
            for (long number = 0; number <= 1000; number += 100) {
                assertThat(ramp.due(ramp.time(number)))
                        .as("%s %d", ramp, number)
                        .isCloseTo((double) number, within(1e-6));
            }
        }
    }

    @Test
    void readsBurstsAndRepeatsThem() throws Exception {
        Path file = Files.writeString(
                folder.resolve("x.yaml"),
                "warm-up-seconds: 5\nrepeat: 2\nphases:\n- {name: quiet, rate: 10, seconds: 30}\n- {rate: 1000, seconds: 30}\n");

        WorkloadFile load = WorkloadFile.read(file);

        assertThat(load.phases())
                .extracting(Phase::name)
                .containsExactly("warm-up", "quiet", "phase 2", "quiet", "phase 2");
        assertThat(load.phases().get(0)).isEqualTo(new Phase("warm-up", 10, 10, 5, false));
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
                .hasMessageContaining("there is no \"second\"; there are from, ");
        Files.writeString(file, "phases:\n- {name: a, rate: 1}\n");
        assertThatThrownBy(() -> WorkloadFile.read(file))
                .hasMessage(file + ": phase a needs seconds above 0 and no negative rate");
        Files.writeString(file, "tasks: 1\n");
        assertThatThrownBy(() -> WorkloadFile.read(file)).hasMessage(file + ": there are no phases");
    }
}
