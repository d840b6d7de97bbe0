package io.tidegate.connect.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TimetableTest {
    private static final List<Phase> PHASES = List.of(new Phase(10, 10, 2), new Phase(0, 100, 1), new Phase(5, 5, 1));

    private record Due(long micros, int phase) {}

    private static List<Due> all() {
        Timetable timetable = new Timetable(PHASES, Timetable.Late.SEND, 1_000_000);
        List<Due> all = new ArrayList<>();
        while (!timetable.isOver(0)) {
            all.add(new Due(timetable.due(0), timetable.phase()));
            timetable.next();
        }
        return all;
    }

    @Test
    void hasEveryRecordInItsPhase() {
        List<Due> all = all();

        assertThat(all).hasSize(20 + 50 + 5).isSortedAccordingTo((a, b) -> Long.compare(a.micros, b.micros));
        assertThat(all.get(0)).isEqualTo(new Due(1_000_000, 0));
        assertThat(all.get(1)).isEqualTo(new Due(1_100_000, 0));
        assertThat(all.get(20).phase()).isEqualTo(1);
        assertThat(all.get(70)).isEqualTo(new Due(4_000_000, 2));
    }

    @Test
    void dropsWhatIsNotSentInItsPhaseIfThatIsWanted() {
        List<Phase> phases = List.of(new Phase(10, 10, 2), new Phase(5, 5, 1));
        Timetable timetable = new Timetable(phases, Timetable.Late.DROP, 0);

        assertThat(timetable.isOver(2_400_000)).isFalse();
        assertThat(timetable.due(2_400_000)).as("within half a second").isZero();
        assertThat(timetable.isOver(2_500_000)).isFalse();
        assertThat(timetable.phase()).isEqualTo(1);
        assertThat(timetable.due(2_500_000)).isEqualTo(2_000_000);
        assertThat(timetable.isOver(3_500_000)).isTrue();
    }

    @Test
    void anUnboundedPhaseIsDueAtOnceUntilItIsOver() {
        Timetable timetable =
                new Timetable(List.of(new Phase(0, 0, 2), new Phase(1, 1, 1)), Timetable.Late.SEND, 5_000_000);

        assertThat(timetable.isOver(4_000_000)).isFalse();
        assertThat(timetable.due(4_000_000)).isEqualTo(5_000_000);
        assertThat(timetable.due(6_000_000)).isEqualTo(6_000_000);
        timetable.next();
        assertThat(timetable.isOver(6_999_999)).isFalse();
        assertThat(timetable.phase()).isZero();
        assertThat(timetable.isOver(7_000_000)).isFalse();
        assertThat(timetable.phase()).isEqualTo(1);
        assertThat(timetable.due(9_000_000)).isEqualTo(7_000_000);
        timetable.next();
        assertThat(timetable.isOver(9_000_000)).isTrue();
    }
}
