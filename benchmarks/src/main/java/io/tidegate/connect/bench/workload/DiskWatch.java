package io.tidegate.connect.bench.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Notes every 20 ms what the machine has written to its disks: its thread reads {@code /proc/diskstats}. On a machine
 * without it nothing is known. The other methods are for any thread. Source: the Linux kernel's "I/O statistics fields".
 */
public final class DiskWatch implements AutoCloseable {
    private static final long INTERVAL_NANOS = 20_000_000;
    private static final int NAME = 2;
    private static final int SECTORS_WRITTEN = 9;
    private static final int BUSY_MILLIS = 12;
    private static final int SECTORS_PER_MEGABYTE = 2048;

    private final Path statistics;
    private final Path disks;
    private final NavigableMap<Long, Use> looks = new ConcurrentSkipListMap<>();
    private final Thread thread = new Thread(this::run, "disk-watch");

    /**
     * What was written.
     *
     * @param busyMillis how long a request was under way, added up over all disks
     */
    public record Use(double megabytes, long busyMillis) {
        private Use plus(Use other) {
            return new Use(megabytes + other.megabytes, busyMillis + other.busyMillis);
        }

        private Use minus(Use other) {
            return new Use(megabytes - other.megabytes, busyMillis - other.busyMillis);
        }
    }

    /** Starts to watch. */
    public DiskWatch() {
        this(Path.of("/proc/diskstats"), Path.of("/sys/block"));
    }

    /**
     * The same with other files.
     *
     * @param disks a folder with an entry for each disk; the statistics have their partitions, too
     */
    DiskWatch(Path statistics, Path disks) {
        this.statistics = statistics;
        this.disks = disks;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted() && Files.isReadable(statistics)) {
                long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
                looks.put(micros, sum(Files.readAllLines(statistics)));
                LockSupport.parkNanos(INTERVAL_NANOS);
            }
        } catch (IOException e) {
            looks.clear(); // unknown from here on, as on a machine without the file
        }
    }

    private Use sum(List<String> lines) {
        Use sum = new Use(0, 0);
        for (String line : lines) {
            String[] fields = line.strip().split(" +", -1);
            if (fields.length > BUSY_MILLIS && Files.exists(disks.resolve(fields[NAME]))) {
                sum = sum.plus(new Use(
                        Double.parseDouble(fields[SECTORS_WRITTEN]) / SECTORS_PER_MEGABYTE,
                        Long.parseLong(fields[BUSY_MILLIS])));
            }
        }
        return sum;
    }

    /** What was written between the last look before and the first one after; empty if there was none. */
    public Optional<Use> between(long fromMicros, long toMicros) {
        Map.Entry<Long, Use> before = looks.floorEntry(fromMicros);
        Map.Entry<Long, Use> after = looks.ceilingEntry(toMicros);
        return before == null || after == null
                ? Optional.empty()
                : Optional.of(after.getValue().minus(before.getValue()));
    }

    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
