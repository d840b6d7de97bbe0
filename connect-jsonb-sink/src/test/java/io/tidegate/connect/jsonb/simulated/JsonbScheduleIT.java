package io.tidegate.connect.jsonb.simulated;

import io.tidegate.connect.common.task.SinkSchedule;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The whole task with its real writer over a real PostgreSQL in trouble, on schedules that nobody would think of. {@link
 * SinkSchedule} draws them. {@code -Dtidegate.schedules=N} runs N of them, {@code -Dtidegate.schedule.first=SEED} starts
 * elsewhere. Threads are real, so a seed that fails may not fail again.
 */
final class JsonbScheduleIT {
    private static final int SCHEDULES = Integer.getInteger("tidegate.schedules", 50);
    private static final long FIRST = Long.getLong("tidegate.schedule.first", 1);

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void keepsItsPromisesOnEverySchedule() {
        try (TroubledPostgres server = new TroubledPostgres()) {
            for (long seed = FIRST; seed < FIRST + SCHEDULES; seed++) {
                SinkSchedule.run(seed, server);
            }
        }
    }
}
