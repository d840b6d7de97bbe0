package io.tidegate.connect.jsonb.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PoolLimitsTest {
    private static PoolLimits limits(int size, int wait, int connect, int socket) {
        return new PoolLimits(size, Duration.ofMillis(wait), Duration.ofMillis(connect), Duration.ofMillis(socket));
    }

    @Test
    void theLargestOfEachCounts() {
        assertThat(limits(4, 9, 1, 8).largest(limits(5, 1, 7, 2))).isEqualTo(limits(5, 9, 7, 8));
        assertThat(limits(5, 1, 7, 2).largest(limits(4, 9, 1, 8))).isEqualTo(limits(5, 9, 7, 8));
    }

    @Test
    void areToldByTheNamesOfTheSettings() {
        assertThat(limits(4, 9, 1, 8))
                .hasToString("connection.pool.max.size=4, connection.pool.wait.ms=9, connection.timeout.ms=1,"
                        + " socket.timeout.ms=8");
    }
}
