package io.tidegate.connect.common.task;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the pipeline promises, on thousands of schedules that nobody would think of. {@link Schedule} says what a seed
 * draws, {@link Ledger} what is promised. {@code -Dtidegate.schedules=N} runs more of them, {@code
 * -Dtidegate.schedule.first=SEED} starts elsewhere; both together run one again. Lane threads are real, so a seed fixes
 * what happens but not when: a failure may need its seed a few times.
 */
final class PipelineScheduleTest {
    private static final int SCHEDULES = Integer.getInteger("tidegate.schedules", 1_000);
    private static final long FIRST = Long.getLong("tidegate.schedule.first", 1);

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void keepsItsPromisesOnEverySchedule() {
        for (long seed = FIRST; seed < FIRST + SCHEDULES; seed++) {
            Schedule schedule = new Schedule(seed);
            try {
                schedule.run();
            } catch (Throwable failure) {
                throw new AssertionError(
                        "seed " + seed + " (again: -Dtidegate.schedule.first=" + seed + " -Dtidegate.schedules=1): "
                                + failure.getMessage() + "\n" + schedule.journal(),
                        failure);
            }
        }
    }
}
