package io.tidegate.connect.jsonb.simulated;

import io.tidegate.connect.common.task.SinkSchedule;
import io.tidegate.connect.testkit.scenarios.Skip;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The whole task with its real writer over a real PostgreSQL in trouble, on schedules that nobody would think of. {@link
 * SinkSchedule} draws them. {@code -Dtidegate.schedules=N} runs N of them, {@code -Dtidegate.schedule.first=SEED} starts
 * elsewhere. Without the first it is skipped: about one schedule of 400 gets no connection for a minute, always another
 * one, and it is not known whether the cause is the test's proxy, the pool or the sink.
 */
final class JsonbScheduleIT {
    private static final int SCHEDULES = Integer.getInteger("tidegate.schedules", 0);
    private static final long FIRST = Long.getLong("tidegate.schedule.first", 1);

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void keepsItsPromisesOnEverySchedule() {
        if (SCHEDULES == 0) {
            Skip.loudly(JsonbScheduleIT.class, "only with -Dtidegate.schedules=N, see its comment");
        }
        try (TroubledPostgres server = new TroubledPostgres()) {
            for (long seed = FIRST; seed < FIRST + SCHEDULES; seed++) {
                SinkSchedule.run(seed, server);
            }
        }
    }
}
