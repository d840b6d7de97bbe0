package io.tidegate.connect.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AdviceTest {
    private static final Usl LAW = new Usl(1000, 0.05, 0.002);

    private static Group group(int... tasks) {
        return new Group(
                "g",
                IntStream.of(tasks).mapToObj(n -> new Measured(n, LAW.rate(n))).toList(),
                OptionalDouble.of(500),
                OptionalDouble.of(900),
                OptionalDouble.of(2));
    }

    @Test
    void givesTheFewestTasksThatLeaveTheHeadroom() {
        Advice advice = Advice.of(group(1, 2, 4, 8, 16), new Target(2000, 0.5, 8));

        int tasks = advice.numbers().get("tasks");
        assertThat(LAW.rate(tasks)).isGreaterThanOrEqualTo(4000);
        assertThat(LAW.rate(tasks - 1)).isLessThan(4000);
        assertThat(advice.numbers())
                .isEqualTo(Map.of("tasks", tasks, "partitions", tasks, "workers", 1, "connections", 2 * tasks));
        assertThat(advice.remarks()).contains("the workers use 1.00 CPU cores at the target");
    }

    @Test
    void putsAsManyTasksOnEachWorker() {
        Advice advice = Advice.of(group(1, 2, 4, 8, 16), new Target(2000, 0.5, 1));

        assertThat(advice.numbers()).containsEntry("workers", 2);
        assertThat(advice.numbers().get("tasks") % 2).isZero();
    }

    @Test
    void refusesWhatLiesBehindThePeak() {
        Advice advice = Advice.of(group(1, 4, 8, 16, 32), new Target(8000, 0, 8));

        assertThat(advice.numbers()).isEmpty();
        assertThat(advice.refusal())
                .startsWith(
                        "8,000 records/s, headroom included, are more than the peak of 7,398 with 22 tasks; more tasks"
                                + " are slower");
    }

    @Test
    void refusesToGoFarBeyondTheData() {
        Advice advice = Advice.of(group(1, 2, 3, 4), new Target(5500, 0, 8));

        assertThat(advice.refusal())
                .isEqualTo("5,500 records/s, headroom included, are beyond the measured range (up to 4 tasks): measure"
                        + " more");
    }

    @Test
    void refusesDataThatNoCurveFits() {
        Group noise = Group.ofRates(
                "noise", List.of(new Measured(1, 100), new Measured(2, 20), new Measured(3, 200), new Measured(4, 30)));

        assertThat(Advice.of(noise, new Target(10, 0, 1)).refusal())
                .startsWith("the curve differs from the measured rates by");
        assertThat(Advice.of(group(1, 2), new Target(10, 0, 1)).refusal())
                .isEqualTo("a curve needs at least 4 different numbers of tasks; measured: 2");
    }

    @Test
    void saysWhatIsWrongWithAFile(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("x.csv");
        Files.writeString(file, "a,b\n1,2\n");
        assertThatThrownBy(() -> Groups.read(file))
                .hasMessage(file + ": the first line needs the columns tasks and records_per_s");
        Files.writeString(file, "tasks,records_per_s\n1,x\n");
        assertThatThrownBy(() -> Groups.read(file)).hasMessage(file + ":2: not a row of numbers");
        assertThatThrownBy(() -> Groups.read(folder)).hasMessage("there is no " + folder.resolve("results.json"));
    }
}
