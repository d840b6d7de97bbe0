package io.tidegate.connect.jsonb.write;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;

/** Rows and CPU time of one measurement. */
record WriteCost(long rows, Duration elapsed, Duration serverCpu, WriteCost.Client client) {
    double rowsPerSecond() {
        return rows / (elapsed.toNanos() / 1e9);
    }

    double serverMicrosPerRow() {
        return serverCpu.toNanos() / 1e3 / rows;
    }

    double clientMicrosPerRow() {
        return client.cpuNanos / 1e3 / rows;
    }

    String cells() {
        return String.format(
                Locale.ROOT,
                "%,.0f | %.1f | %.1f | %,d",
                rowsPerSecond(),
                serverMicrosPerRow(),
                clientMicrosPerRow(),
                client.allocatedBytes / rows);
    }

    /** What the threads that write used. */
    record Client(long cpuNanos, long allocatedBytes) {
        /** The current thread's. */
        static Client untilNow() {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            return new Client(threads.getCurrentThreadCpuTime(), threads.getCurrentThreadAllocatedBytes());
        }

        Client plus(Client other) {
            return new Client(cpuNanos + other.cpuNanos, allocatedBytes + other.allocatedBytes);
        }

        Client minus(Client other) {
            return new Client(cpuNanos - other.cpuNanos, allocatedBytes - other.allocatedBytes);
        }
    }
}
