package io.tidegate.connect.bench.testbed;

import com.sun.management.OperatingSystemMXBean;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the CPU time of the machine and of this process, in seconds. Thread-safe. */
public final class CpuTime {
    private static final Path STAT = Path.of("/proc/stat");
    private static final double TICKS_PER_SECOND = 100;
    // user, nice, system, idle, iowait, irq, softirq, steal: see proc(5). guest times are part of user.
    private static final int IDLE = 3;
    private static final int IOWAIT = 4;
    private static final int STEAL = 7;

    private CpuTime() {}

    static int count() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** The time of all processes since boot, including time that the hypervisor stole; 0 without {@code /proc}. */
    static double busy() throws ToolException {
        try {
            return Files.isReadable(STAT) ? busy(Files.readAllLines(STAT).get(0)) : 0;
        } catch (IOException e) {
            throw new ToolException("cannot read " + STAT, e);
        }
    }

    static double busy(String line) {
        String[] fields = line.strip().split(" +", -1);
        long ticks = 0;
        for (int i = 0; i <= STEAL; i++) {
            if (i != IDLE && i != IOWAIT && i + 1 < fields.length) {
                ticks += Long.parseLong(fields[i + 1]);
            }
        }
        return ticks / TICKS_PER_SECOND;
    }

    /** The time of this process since it started. */
    public static double own() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() / 1e9;
    }
}
