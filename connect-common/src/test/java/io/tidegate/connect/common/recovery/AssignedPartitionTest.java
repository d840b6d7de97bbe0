package io.tidegate.connect.common.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.Progress.GivenUp;
import io.tidegate.connect.common.offset.StartingPoint;
import io.tidegate.connect.common.testing.FakeSinkTaskContext;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class AssignedPartitionTest {
    private final FakeSinkTaskContext context = new FakeSinkTaskContext();
    private final Assignment task = new Assignment(
            context, new Assignment.Rules("test", true, false), List.of(), Clock.SYSTEM, new Redeliveries());

    /** The group stands at 7, of which the server knows nothing: it was written at least once, or never had a row. */
    @Test
    void tellsKafkaNothingBeforeTheServerHasAnsweredTheFirstStore() {
        Progress progress = Records.progress(0);
        AssignedPartition partition = new AssignedPartition(task, progress, true, 0);
        partition.claimed(Optional.empty());
        partition.offered(7);

        assertThat(partition.done(7, progress.firstPending())).hasValue(7);
        assertThat(partition.told(7)).as("not 0").isEqualTo(OptionalLong.empty());

        partition.stored(7);
        assertThat(partition.told(7)).hasValue(7);
    }

    /** Connect has gone back to 5 before, and would commit that together with another partition. */
    @Test
    void isCatchingUpAlsoWhileItIsClaimedAgain() {
        Progress progress = Records.progress(0);
        context.assign(List.of(progress.partition()));
        AssignedPartition partition = new AssignedPartition(task, progress, true, 0);
        partition.offered(9);
        assertThat(partition.isCatchingUp()).isFalse();
        partition.claimed(Optional.of(new StartingPoint(5, Optional.empty())));
        assertThat(partition.isCatchingUp()).isTrue();

        progress.giveUp(new GivenUp(6, true));
        partition.restartIfGivenUp(0);

        assertThat(partition.isClaiming()).isTrue();
        assertThat(partition.isCatchingUp()).isTrue();
    }
}
