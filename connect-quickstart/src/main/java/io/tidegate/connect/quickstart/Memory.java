package io.tidegate.connect.quickstart;

import com.sun.management.OperatingSystemMXBean;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.quickstart.view.Sink;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Checks that the memory is sufficient. Otherwise the kernel could kill a server later. */
final class Memory {
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final String AVAILABLE = "MemAvailable:";

    /** The heaps, and what each JVM needs in addition to its heap. */
    private static final long BROKER_AND_WORKER_MB = 2 * (512 + 250);

    private static final long POSTGRES_MB = 300;
    private static final long ELASTICSEARCH_MB = 1024 + 500;

    private Memory() {}

    static long neededMb(List<Sink> sinks) {
        return BROKER_AND_WORKER_MB
                + (sinks.contains(Sink.JSONB) ? POSTGRES_MB : 0)
                + (sinks.contains(Sink.ES) ? ELASTICSEARCH_MB : 0);
    }

    /** For change events, which come from another PostgreSQL. */
    static long neededForChangesMb() {
        return neededMb(List.of(Sink.values())) + POSTGRES_MB;
    }

    /** @param remedy what the user can do beside stopping other programs */
    static void check(long neededMb, long availableMb, String remedy) throws ToolException {
        if (availableMb < neededMb) {
            throw new ToolException("not enough memory: the servers need about " + neededMb + " MB and only "
                    + availableMb + " MB are available; stop something" + remedy);
        }
    }

    /**
     * The memory in MB that can be used without swapping. Outside Linux it is all memory: free memory excludes caches
     * there, so the check would reject machines that have enough.
     */
    static long availableMb() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long limitMb = system.getTotalMemorySize() >> 20;
        try {
            return Files.isReadable(MEMINFO)
                    ? Math.min(limitMb, availableMb(Files.readAllLines(MEMINFO), limitMb))
                    : limitMb;
        } catch (IOException e) {
            return limitMb;
        }
    }

    static long availableMb(List<String> meminfo, long otherwise) {
        return meminfo.stream()
                .filter(line -> line.startsWith(AVAILABLE))
                .map(line -> line.replaceAll("\\D", ""))
                .map(kilobytes -> Long.parseLong(kilobytes) >> 10)
                .findFirst()
                .orElse(otherwise);
    }
}
