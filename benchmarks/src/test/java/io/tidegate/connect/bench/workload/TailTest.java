package io.tidegate.connect.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.bench.results.Sample;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TailTest {
    private static final long SECOND = 1_000_000;

    /** The worker uses half a core, another process a whole one. */
    private static Sample sample(double seconds) {
        return new Sample(seconds, 0, seconds / 2, 0, 0, seconds, 0, 0, 0, 0);
    }

    private static Latencies.Row row(double due, double inserted, double visible) {
        return new Latencies.Row(
                1, Math.round(due * SECOND), Math.round(inserted * SECOND), Math.round(visible * SECOND));
    }

    @Test
    void tellsWhatHappenedDuringEachEpisode() {
        List<ServerLog.Line> log = List.of(
                new ServerLog.Line("server", 105 * SECOND, "LOG:  checkpoint starting: time"),
                new ServerLog.Line("worker", 102 * SECOND + 5000, "GC(3) Pause Young 90.1ms"),
                new ServerLog.Line("worker", 110 * SECOND, "later"));
        Tail tail = new Tail(log, List.of(sample(0), sample(1), sample(4), sample(9)), 100 * SECOND);

        List<String> lines = tail.of(
                "5,000/s", List.of(row(102, 102.09, 102.1), row(102.05, 102.1, 102.2), row(104.5, 104.6, 105.1)));

        assertThat(lines).hasSize(7);
        assertThat(lines.get(0)).isEqualTo("5,000/s: the slowest 1 %, 3 records, in 2 episodes");
        assertThat(lines.get(1))
                .endsWith(": 2 records; the slowest took 50 ms until its insert and 100 ms until it was visible");
        assertThat(lines.get(2))
                .isEqualTo("    CPU in % of one core: worker 50, broker 0, server 0, other processes 100");
        assertThat(lines.get(3)).endsWith(" worker: GC(3) Pause Young 90.1ms");
        assertThat(lines.get(4)).contains(": 1 records; the slowest took 100 ms");
        assertThat(lines.get(6)).endsWith(" server: LOG:  checkpoint starting: time");
    }
}
