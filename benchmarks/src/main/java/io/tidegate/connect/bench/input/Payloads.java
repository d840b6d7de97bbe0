package io.tidegate.connect.bench.input;

import io.tidegate.connect.tools.ToolException;
import io.tidegate.connect.tools.tides.TideSource;
import io.tidegate.connect.tools.tides.TideSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Values for benchmarks that make their own load. */
public final class Payloads {
    /** The bounds of a record's size. */
    public static final int SMALLEST_BYTES = SizedRecords.SMALLEST;

    public static final int LARGEST_BYTES = 8 << 20;

    /** NOAA's readings of Seattle's tide gauge, in the checkout. */
    public static final Path READINGS = Path.of("benchmarks/data/seattle-2015-01-every-2-hours.json");

    private static final int MOST = 361;
    private static final int MOST_OF_A_FILE = 100_000;
    private static final long MOST_BYTES = 64 << 20;

    private Payloads() {}

    /**
     * NOAA's readings of Seattle or what a file holds, filled up or replaced to have a size.
     *
     * @param root of the checkout
     * @param file a response of NOAA's API or JSON lines; at most its first 100,000 records, or 64 MB, are taken
     */
    public static List<byte[]> of(Path root, Optional<Path> file, Optional<Integer> bytes)
            throws ToolException, InterruptedException {
        TideSource records = TideSources.files(List.of(file.orElse(root.resolve(READINGS))));
        TideSource source =
                bytes.<TideSource>map(size -> new SizedRecords(records, size)).orElse(records);
        long count = Math.max(1, Math.min(file.isPresent() ? MOST_OF_A_FILE : MOST, MOST_BYTES / bytes.orElse(1)));
        List<byte[]> values = new ArrayList<>();
        long[] kept = {0};
        source.stream(count, (key, value) -> {
            if (kept[0] < MOST_BYTES) {
                kept[0] += value.length;
                values.add(value);
            }
        });
        return List.copyOf(values);
    }
}
