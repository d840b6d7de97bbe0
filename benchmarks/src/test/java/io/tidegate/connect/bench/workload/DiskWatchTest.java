package io.tidegate.connect.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.testkit.process.Poll;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskWatchTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private Path statistics;

    @BeforeEach
    void addDisk() throws IOException {
        statistics = folder.resolve("diskstats");
        Files.createDirectories(folder.resolve("block/vda"));
    }

    /** As the kernel writes it: a disk, and a partition of it. */
    private void write(int sectors, int busyMillis) throws IOException {
        String counters = " 1 2 3 4 5 6 " + sectors + " 8 0 " + busyMillis + " 11 0 0 0 0 0 0\n";
        Path next = Files.writeString(folder.resolve("next"), " 254 0 vda" + counters + " 254 1 vda1" + counters);
        Files.move(next, statistics, StandardCopyOption.ATOMIC_MOVE);
    }

    private static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    private static long aWhileAgo() {
        return now() - 100_000;
    }

    private static void awaitLooksAround(DiskWatch watch, LongSupplier micros) {
        assertThat(Poll.until(
                        () -> {
                            long time = micros.getAsLong();
                            return watch.between(time, time).isPresent();
                        },
                        SOON))
                .isTrue();
    }

    @Test
    void tellsWhatAllDisksHaveWrittenBetweenTwoTimes() throws Exception {
        write(10_000, 500);
        try (DiskWatch watch = new DiskWatch(statistics, folder.resolve("block"))) {
            awaitLooksAround(watch, DiskWatchTest::aWhileAgo);
            long from = now();
            awaitLooksAround(watch, () -> from);
            write(10_000 + 3 * 2048, 520);
            long to = now();
            awaitLooksAround(watch, () -> to);

            assertThat(watch.between(from, to)).contains(new DiskWatch.Use(3, 20));
        }
    }

    @Test
    void knowsNothingOfTheTimeBeforeItOrWithoutStatistics() throws Exception {
        try (DiskWatch watch = new DiskWatch(folder.resolve("missing"), folder)) {
            assertThat(watch.between(0, now())).isEqualTo(Optional.empty());
        }
        write(1, 1);
        try (DiskWatch watch = new DiskWatch(statistics, folder.resolve("block"))) {
            awaitLooksAround(watch, DiskWatchTest::aWhileAgo);
            assertThat(watch.between(0, aWhileAgo())).isEmpty();
        }
    }
}
