package io.tidegate.connect.bench.records;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.tides.TideSource;
import io.tidegate.connect.lab.tides.TideSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads values for benchmarks that generate their own load. */
public final class Payloads {
    /** The bounds of a record's size. */
    public static final int SMALLEST_BYTES = SizedRecords.SMALLEST;

    public static final int LARGEST_BYTES = 8 << 20;

    /** NOAA's readings of Seattle's tide gauge, relative to the checkout. */
    public static final Path READINGS = Path.of("benchmarks/data/seattle-2015-01-every-2-hours.json");

    private static final int MAX_READINGS = 361;
    private static final int MAX_FROM_FILE = 100_000;
    private static final long MAX_BYTES = 64 << 20;

    private Payloads() {}

    /**
     * Reads NOAA's readings of Seattle, or a file. If a size is given, values are filled up or replaced.
     *
     * @param root the folder of the checkout
     * @param file a response of NOAA's API, or JSON lines; at most the first 100,000 records or 64 MB are read
     */
    public static List<byte[]> of(Path root, Optional<Path> file, Optional<Integer> bytes)
            throws ToolException, InterruptedException {
        TideSource records = TideSources.files(List.of(file.orElse(root.resolve(READINGS))));
        TideSource source =
                bytes.<TideSource>map(size -> new SizedRecords(records, size)).orElse(records);
        long count =
                Math.max(1, Math.min(file.isPresent() ? MAX_FROM_FILE : MAX_READINGS, MAX_BYTES / bytes.orElse(1)));
        List<byte[]> values = new ArrayList<>();
        long[] kept = {0};
        source.stream(count, (key, value) -> {
            if (kept[0] < MAX_BYTES) {
                kept[0] += value.length;
                values.add(value);
            }
        });
        return List.copyOf(values);
    }
}
