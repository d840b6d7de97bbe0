package io.tidegate.connect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.quickstart.view.Sink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlanTest {
    @TempDir
    private Path folder;

    @Test
    void predictsAHundredThousandRecordsUnlessToldOtherwise() throws Exception {
        assertThat(plan(List.of(), OptionalLong.empty(), OptionalInt.empty()).records())
                .isEqualTo(100_000);
        assertThat(plan(List.of(), OptionalLong.of(7), OptionalInt.empty()).records())
                .isEqualTo(7);
    }

    @Test
    void takesAllThatTheFilesHoldUpToTheLimit() throws Exception {
        Path file = Files.writeString(folder.resolve("lines.jsonl"), "1\n2\n3\n");

        assertThat(plan(List.of(file, file), OptionalLong.empty(), OptionalInt.empty())
                        .records())
                .isEqualTo(6);
        assertThat(plan(List.of(file, file), OptionalLong.of(4), OptionalInt.empty())
                        .records())
                .isEqualTo(4);
        assertThat(plan(List.of(file), OptionalLong.of(99), OptionalInt.empty()).records())
                .isEqualTo(3);
    }

    @Test
    void hasAPartitionForEachTaskAndFourAtLeast() throws Exception {
        assertThat(plan(List.of(), OptionalLong.empty(), OptionalInt.empty()).partitions())
                .isEqualTo(4);
        assertThat(plan(List.of(), OptionalLong.empty(), OptionalInt.of(8)).partitions())
                .isEqualTo(8);
    }

    private static Plan plan(List<Path> input, OptionalLong records, OptionalInt tasks) throws Exception {
        return Plan.of(input, records, tasks, List.of(Sink.values()), true);
    }
}
