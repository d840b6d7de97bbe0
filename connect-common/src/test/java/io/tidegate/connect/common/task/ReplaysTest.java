package io.tidegate.connect.common.task;

import static io.tidegate.connect.common.testing.Records.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Ordering;
import io.tidegate.connect.common.spi.ServerSight;
import io.tidegate.connect.common.testing.FakeSinkTaskContext;
import io.tidegate.connect.common.testing.FakeTarget;
import io.tidegate.connect.common.testing.FakeWriter;
import io.tidegate.connect.common.testing.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReplaysTest {
    private static final TopicPartition BUSY = partition(0);
    private static final TopicPartition IDLE = partition(1);
    private static final Duration WINDOW = Duration.ofSeconds(16);

    private final TestClock clock = new TestClock();
    private final FakeSinkTaskContext context = new FakeSinkTaskContext();
    private final FakeTarget target = new FakeTarget(lane -> new FakeWriter()).replaying(WINDOW);
    private final Assignment assignment = new Assignment(1, new DeadLetters(Optional.empty(), true, clock));
    private final Restarts restarts = new Restarts(
            context,
            "c",
            assignment,
            new LaneAssigner(new LaneSettings(10, 1 << 20, Duration.ZERO, 1, Ordering.PARTITION), List.of()),
            target.mapper(),
            false);
    private Replays replays;
    private Progress busy;
    private long next;

    @BeforeEach
    void assign() {
        context.assign(List.of(BUSY, IDLE));
        List<Progress> progresses = assignment.add(List.of(BUSY, IDLE));
        busy = progresses.get(0);
        see(0, clock.nanoTime(), clock.nanoTime());
        replays = new Replays(target, assignment, restarts, clock);
    }

    private void see(long changes, long formerUntil, long presentUntil) {
        target.see(new ServerSight(changes, formerUntil, presentUntil));
    }

    /** One record in each second, all written at once. */
    private void write(int seconds) {
        for (int i = 0; i < seconds; i++) {
            replays.poll();
            busy.accept(0, next);
            busy.acknowledge(0, next);
            next++;
            clock.advance(Duration.ofSeconds(1));
            see(0, 0, clock.nanoTime());
        }
    }

    private void change(long changes, long formerUntil) {
        see(changes, formerUntil, clock.nanoTime());
        replays.poll();
    }

    @Test
    void goesBackToWhatWasWrittenInTheTimeBeforeTheFormerServerLastAnswered() {
        write(100);
        long formerUntil = clock.nanoTime();
        clock.advance(Duration.ofMinutes(10)); // of outage
        replays.poll();
        change(1, formerUntil);

        assertThat(context.takeRewound()).hasSize(1).hasEntrySatisfying(BUSY, from -> assertThat(from)
                .isBetween(100L - 16 - 2, 100L - 16));
    }

    @Test
    void aPartitionWithoutRecordsStaysWhereItIs() {
        change(1, clock.nanoTime());

        assertThat(context.takeRewound()).isEmpty();
    }

    @Test
    void aYoungHistoryIsDeliveredAgainFromItsBeginning() {
        next = 40;
        write(3);
        change(1, clock.nanoTime());

        assertThat(context.takeRewound()).isEqualTo(Map.of(BUSY, 40L));
    }

    @Test
    void aSecondChangeGoesBackAtLeastAsFarUntilTheFirstReplayIsWritten() {
        write(100);
        change(1, clock.nanoTime());
        long first = context.takeRewound().get(BUSY);
        clock.advance(Duration.ofSeconds(60));
        change(2, clock.nanoTime());

        assertThat(context.takeRewound()).isEqualTo(Map.of(BUSY, first));
    }

    @Test
    void aMissedChangeGoesBackAsFarAsIsRemembered() {
        write(100);
        long rememberedFrom = 100 - 16 - 2;
        change(2, clock.nanoTime());

        assertThat(context.takeRewound().get(BUSY)).isBetween(rememberedFrom - 1, 100L - 16);
    }

    @Test
    void countsWhatIsDeliveredAgain() {
        next = 40;
        write(3);
        change(1, clock.nanoTime());
        for (long offset = 40; offset < 50; offset++) {
            replays.delivered(busy, offset);
        }

        assertThat(busy.redeliveries().deliveredAgain()).isEqualTo(3);
    }
}
