package io.tidegate.connect.common.task;

import org.junit.jupiter.api.Test;

final class TmpSeedTest {
    @Test
    void again() throws Exception {
        for (int i = 0; i < Integer.getInteger("n", 200); i++) {
            Schedule schedule = new Schedule(Long.getLong("seed"));
            try {
                schedule.run();
            } catch (Throwable failure) {
                throw new AssertionError("run " + i + " " + failure.getMessage() + "\n" + schedule.journal(), failure);
            }
        }
    }
}
