package io.tidegate.connect.common.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.delivery.AttemptObserver;
import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.delivery.PostponedDestinations;
import io.tidegate.connect.common.delivery.RetryPolicy;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.StartingPoint;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.recovery.StoredOffset;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.testing.MemoryOffsetStore;
import io.tidegate.connect.common.testing.OffsetsWriter;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.testing.TestClock;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class OffsetRequestsTest {
    private final Progress first = Records.progress(0);
    private final Progress second = Records.progress(1);
    private final MemoryOffsetStore offsets = new MemoryOffsetStore();
    private final Clock clock = new TestClock();
    private final LaneMonitor monitor = new LaneMonitor(work -> {}, () -> {});
    private final OffsetRequests requests = new OffsetRequests(monitor);
    private final Delivery delivery = new Delivery(
            new OffsetsWriter(offsets, document -> false),
            new Delivery.Rules("memory", true, false, ErrorOverrides.NONE),
            new RetryPolicy(new RetrySettings(RetrySettings.UNLIMITED, Duration.ZERO, Duration.ZERO, Duration.ZERO)),
            new DeadLetters(Optional.empty(), true, clock),
            clock,
            () -> 0,
            new PostponedDestinations("memory", clock),
            AttemptObserver.NONE);
    private final LaneGate gate = new LaneGate(clock, monitor);

    @Test
    void answersWhereEachPartitionGoesOnOnce() throws InterruptedException {
        offsets.set(first.partition(), new StoredOffset(5, 3, Optional.empty()));
        requests.claim(List.of(first, second));
        requests.claim(List.of(first));

        assertThat(requests.serve(delivery, gate)).isTrue();

        assertThat(requests.takeClaimed())
                .isEqualTo(
                        Map.of(first, Optional.of(new StartingPoint(5, Optional.empty())), second, Optional.empty()));
        assertThat(requests.takeClaimed()).isEmpty();
        assertThat(offsets.entry(first.partition()).orElseThrow().generation()).isEqualTo(4);
    }

    @Test
    void storesTheHighestOffsetOfEachAndAnswersWhatTheServerHas() throws InterruptedException {
        offsets.set(first.partition(), new StoredOffset(5, 3, Optional.empty()));
        requests.claim(List.of(first));
        requests.store(Map.of(first, 7L));
        requests.store(Map.of(first, 6L));
        requests.store(Map.of(second, 1L));

        assertThat(requests.serve(delivery, gate)).isTrue();

        assertThat(requests.takeStored()).isEqualTo(Map.of(first, 7L, second, 1L));
        assertThat(offsets.entry(first.partition()).orElseThrow().nextOffset()).isEqualTo(7);
        assertThat(offsets.entry(second.partition()))
                .as("nothing of it is written")
                .isEmpty();
    }

    @Test
    void isPendingUntilItIsServed() throws InterruptedException {
        assertThat(requests.arePending()).isFalse();
        requests.store(Map.of(first, 7L));
        assertThat(requests.areWaiting()).isTrue();
        assertThat(requests.arePending()).isTrue();

        assertThat(requests.serve(delivery, gate)).isTrue();

        assertThat(requests.areWaiting()).isFalse();
        assertThat(requests.arePending()).isFalse();
    }

    @Test
    void saysWhetherAVerificationWasAnswered() throws InterruptedException {
        offsets.set(first.partition(), new StoredOffset(5, 3, Optional.empty()));
        requests.claim(List.of(first));
        assertThat(requests.serve(delivery, gate)).isTrue();
        offsets.goDown("failover");
        requests.verify();
        assertThat(requests.areWaiting()).isTrue();
        assertThat(requests.arePending()).as("a commit does not wait for it").isFalse();

        assertThat(requests.serve(delivery, gate)).isTrue();

        assertThat(requests.verification()).isEqualTo(OffsetRequests.Verification.FAILED);
    }
}
