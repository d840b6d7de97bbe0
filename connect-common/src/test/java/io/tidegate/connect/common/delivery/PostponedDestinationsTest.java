package io.tidegate.connect.common.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.metrics.PublishedMetrics;
import io.tidegate.connect.common.testing.FakeSinkTaskContext;
import io.tidegate.connect.common.testing.TestClock;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Metrics of the destinations that wait; {@link DeliveryTest} has what is logged. */
final class PostponedDestinationsTest {
    private final TestClock clock = new TestClock();
    private final FakeSinkTaskContext context = new FakeSinkTaskContext();
    private final PostponedDestinations destinations = new PostponedDestinations("memory", clock);

    private void show(FakeSinkTaskContext to) {
        destinations.showTo((destination, numbers) ->
                PublishedMetrics.ofTask(to, "tides", "0", Map.of("destination", destination), numbers));
    }

    /** Long enough to be logged. */
    private void waitFor(String destination) {
        destinations.begins(destination, 0);
        destinations.postponed(destination, 3, 100);
        clock.advance(Duration.ofSeconds(10));
        destinations.failed(destination, "locked", 0);
    }

    @Test
    void showsADestinationThatHasWaitedForLong() {
        show(context);
        destinations.begins("a", 0);
        destinations.failed("a", "locked", 0);
        assertThat(context.shown().isEmpty()).isTrue();
        destinations.begins("slow", Duration.ofSeconds(60).toNanos());
        destinations.failed("slow", "late", 0);
        assertThat(context.shown().value("destination-postponed-ms{destination=slow}"))
                .isEqualTo(60_000);
        destinations.ends("slow");

        waitFor("b");
        clock.advance(Duration.ofSeconds(1));

        assertThat(context.shown().names())
                .containsExactly(
                        "destination-postponed-ms{destination=b}", "destination-postponed-records{destination=b}");
        assertThat(context.shown().value("destination-postponed-ms{destination=b}"))
                .isEqualTo(11_000);
        assertThat(context.shown().value("destination-postponed-records{destination=b}"))
                .isEqualTo(3);

        destinations.ends("b");
        assertThat(context.shown().isEmpty()).isTrue();
    }

    @Test
    void showsFewOfThousands() {
        show(context);
        IntStream.range(0, 1_000).forEach(n -> waitFor("t" + n));

        assertThat(context.shown().names()).hasSize(2 * PostponedDestinations.MOST_LOGGED);
    }

    @Test
    void showsADestinationUntilItsLastLaneHasWritten() {
        show(context);
        waitFor("b");
        destinations.begins("b", 0);
        destinations.ends("b");
        assertThat(context.shown().isEmpty()).isFalse();

        destinations.ends("b");
        assertThat(context.shown().isEmpty()).isTrue();
    }

    @Test
    void showsNothingOfATaskThatHasStopped() {
        show(context);
        waitFor("b");

        destinations.close();
        assertThat(context.shown().isEmpty()).isTrue();

        waitFor("c");
        destinations.ends("b");
        assertThat(context.shown().isEmpty()).isTrue();
    }
}
