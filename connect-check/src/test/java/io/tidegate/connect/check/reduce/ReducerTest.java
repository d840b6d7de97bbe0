package io.tidegate.connect.check.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.plan.PlannedRecord;
import io.tidegate.connect.check.plan.Step;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ReducerTest {
    private static CheckCase failing() {
        List<PlannedRecord> records = IntStream.range(0, 100)
                .mapToObj(n -> new PlannedRecord("a", 0, "text:k", "text:" + n, Map.of(), n))
                .toList();
        return new CheckCase(
                "jsonb",
                1,
                Map.of("batch.size", "1", "linger.ms", "7", "insert.mode", "upsert"),
                Map.of("a", 1),
                List.of(),
                Map.of(),
                false,
                List.of(
                        Step.send(records.subList(0, 50)),
                        Step.happen("x", 1),
                        Step.happen("y", 2),
                        Step.send(records.subList(50, 100))));
    }

    private static List<String> values(CheckCase planned) {
        return planned.steps().stream()
                .flatMap(step -> step.send().stream())
                .map(PlannedRecord::value)
                .toList();
    }

    @Test
    void keepsOnlyWhatTheFailureNeeds() throws InterruptedException {
        Reducer reducer = new Reducer(
                planned -> values(planned).containsAll(List.of("text:17", "text:71"))
                        && planned.happenings().contains("y")
                        && planned.settings().containsKey("linger.ms"),
                200);

        CheckCase smallest = reducer.reduce(failing());

        assertThat(values(smallest)).containsExactly("text:17", "text:71");
        assertThat(smallest.happenings()).containsExactly("y");
        assertThat(smallest.settings()).containsOnlyKeys("linger.ms", "insert.mode");
        assertThat(reducer.trials()).isLessThan(60);
    }

    @Test
    void stopsAfterSoManyTrialsWithACaseThatFails() throws InterruptedException {
        Reducer reducer = new Reducer(planned -> values(planned).contains("text:3"), 5);

        assertThat(values(reducer.reduce(failing()))).contains("text:3").hasSizeLessThan(100);
    }
}
