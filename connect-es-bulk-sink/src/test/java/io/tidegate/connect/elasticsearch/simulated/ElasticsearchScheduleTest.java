package io.tidegate.connect.elasticsearch.simulated;

import io.tidegate.connect.common.task.SinkSchedule;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The whole task with its real writer and HTTP client over a simulated Elasticsearch, on schedules that nobody would think
 * of. {@link SinkSchedule} draws them. {@code -Dtidegate.schedules=N} runs more, {@code -Dtidegate.schedule.first=SEED}
 * starts elsewhere; both together run one again. Without the first it stops after some seconds.
 */
final class ElasticsearchScheduleTest {
    private static final Duration BOUND = Duration.ofSeconds(8);
    private static final int SCHEDULES = Integer.getInteger("tidegate.schedules", 0);
    private static final long FIRST = Long.getLong("tidegate.schedule.first", 1);

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void keepsItsPromisesOnEverySchedule() {
        long end = System.nanoTime() + BOUND.toNanos();
        long seed = FIRST;
        try (SimulatedElasticsearch server = new SimulatedElasticsearch()) {
            while (SCHEDULES > 0 ? seed < FIRST + SCHEDULES : System.nanoTime() < end) {
                SinkSchedule.run(seed, server);
                seed++;
            }
        }
        System.out.println((seed - FIRST) + " schedules of the Elasticsearch sink");
    }
}
