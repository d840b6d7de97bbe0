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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Half a minute of fresh cases for both sinks, and the cases that ever failed. {@code -Dcheck.minutes} takes longer, and
 * {@code -Dcheck.seed} draws the cases of a run again.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CheckIT {
    private static final double MINUTES = Double.parseDouble(System.getProperty("check.minutes", "0.5"));
    private static final int MOST_FAILURES = 5;

    private final StringWriter told = new StringWriter();
    private final PrintWriter out = new PrintWriter(told, true);
    private Sinks sinks;
    private Bench bench;

    @BeforeAll
    void start() throws Exception {
        sinks = Sinks.of(List.of(), Path.of(".."), new Plot(Happenings.all(false)), false);
        bench = Bench.start(sinks, false, "./check", Path.of(".."), out);
    }

    @AfterAll
    void close() {
        if (bench != null) {
            bench.close();
        }
    }

    @Test
    void newCasesEndAsPromised() throws InterruptedException {
        long seed = Long.getLong("check.seed", System.currentTimeMillis());
        Session session = new Session(bench.runner(), sinks.draws(), 6, out);

        session.run(seed, Duration.ofMillis((long) (MINUTES * 60_000)), MOST_FAILURES);

        for (Outcome failed : session.failed()) {
            bench.explain(failed, false, out);
        }
        assertThat(session.failed())
                .extracting(outcome ->
                        outcome.planned().sink() + ":" + outcome.planned().seed())
                .as("run with seed %d:%n%s", seed, told)
                .isEmpty();
        assertThat(session.done() - session.refused().size()).isGreaterThan(5);
    }

    @ParameterizedTest
    @MethodSource
    void casesThatEverFailedEndAsPromised(Path file) throws Exception {
        Outcome outcome = bench.runner().run(CheckCase.parse(Files.readString(file)));

        assertThat(outcome.differences()).isEmpty();
        assertThat(outcome.refusal()).isEmpty();
    }

    static List<Path> casesThatEverFailedEndAsPromised() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("cases"))) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }
}
