package io.tidegate.connect.jsonb.simulated;

import io.tidegate.connect.common.task.SinkSchedule;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The whole task with its real writer over a real PostgreSQL in trouble, on schedules that nobody would think of. {@link
 * SinkSchedule} draws them. {@code -Dtidegate.schedules=N} runs more, {@code -Dtidegate.schedule.first=SEED} starts
 * elsewhere; both together run one again. Without the first it stops after some seconds.
 */
final class JsonbScheduleIT {
    private static final Duration BOUND = Duration.ofSeconds(8);
    private static final int SCHEDULES = Integer.getInteger("tidegate.schedules", 0);
    private static final long FIRST = Long.getLong("tidegate.schedule.first", 1);

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void keepsItsPromisesOnEverySchedule() {
        try (TroubledPostgres server = new TroubledPostgres()) {
            long end = System.nanoTime() + BOUND.toNanos();
            long seed = FIRST;
            while (SCHEDULES > 0 ? seed < FIRST + SCHEDULES : System.nanoTime() < end) {
                SinkSchedule.run(seed, server);
                seed++;
            }
            System.out.println((seed - FIRST) + " schedules of the JSONB sink");
        }
    }
}
