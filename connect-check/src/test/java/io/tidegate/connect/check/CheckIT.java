package io.tidegate.connect.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.check.draw.Plot;
import io.tidegate.connect.check.event.Happenings;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Outcome;
import io.tidegate.connect.check.sink.Sinks;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A minute of drawn cases for both sinks, and the cases that ever failed. {@code -Dcheck.minutes} takes longer, and
 * {@code -Dcheck.seed} draws others: each build draws the same ones, until the finding on the page of the checker is
 * decided.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CheckIT {
    private static final double MINUTES = Double.parseDouble(System.getProperty("check.minutes", "1"));
    private static final int MOST_FAILURES = 5;

    private final StringWriter told = new StringWriter();
    private final PrintWriter out = new PrintWriter(told, true);
    private Sinks sinks;
    private Bench bench;

    @BeforeAll
    void start() throws Exception {
        sinks = Sinks.of(List.of(), Path.of(".."), new Plot(Happenings.all(false)));
        bench = Bench.start(sinks, out);
    }

    @AfterAll
    void close() {
        if (bench != null) {
            bench.close();
        }
    }

    @Test
    void newCasesEndAsPromised() throws InterruptedException {
        long seed = Long.getLong("check.seed", 11);
        Session session = new Session(bench.runner(), sinks.draws(), 6, out);

        session.run(seed, Duration.ofMillis((long) (MINUTES * 60_000)), MOST_FAILURES);

        for (Outcome failed : session.failed()) {
            bench.explain(failed, false, out);
        }
        assertThat(session.failed()).as("run with seed %d:%n%s", seed, told).isEmpty();
        assertThat(session.done() - session.refused().size()).isGreaterThan(5);
    }

    @Test
    void casesThatEverFailedEndAsPromised() throws Exception {
        for (CheckCase planned : failedOnce()) {
            Outcome outcome = bench.runner().run(planned);
            assertThat(outcome.differences())
                    .as("%s:%d", planned.sink(), planned.seed())
                    .isEmpty();
            assertThat(outcome.refusal()).isEmpty();
        }
    }

    private List<CheckCase> failedOnce() throws Exception {
        List<CheckCase> cases = new ArrayList<>();
        for (String line : lines()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split("[: ]", -1);
                cases.add(sinks.draw(parts[0]).draw(Long.parseLong(parts[1])));
            }
        }
        return cases;
    }

    private static List<String> lines() throws IOException {
        return Files.readAllLines(Path.of("seeds.txt"));
    }
}
