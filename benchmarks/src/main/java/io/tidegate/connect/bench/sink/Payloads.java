package io.tidegate.connect.bench.sink;

import io.tidegate.connect.bench.tides.TideInputException;
import io.tidegate.connect.bench.tides.TideSource;
import io.tidegate.connect.bench.tides.TideSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Values for benchmarks that make their own load. */
public final class Payloads {
    private static final int MOST = 361;
    private static final long MOST_BYTES = 64 << 20;

    private Payloads() {}

    /**
     * NOAA's readings of Seattle, filled up or replaced to have a size.
     *
     * @param root of the checkout
     */
    public static List<byte[]> of(Path root, Optional<Integer> bytes) throws TideInputException, InterruptedException {
        TideSource readings = TideSources.files(List.of(root.resolve(Input.READINGS)));
        TideSource source =
                bytes.<TideSource>map(size -> new Payload(readings, size)).orElse(readings);
        long count = Math.max(1, Math.min(MOST, MOST_BYTES / bytes.orElse(1)));
        List<byte[]> values = new ArrayList<>();
        source.stream(count, (key, value) -> values.add(value));
        return List.copyOf(values);
    }
}
