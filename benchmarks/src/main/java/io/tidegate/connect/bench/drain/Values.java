package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.store.RawRecords;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.tides.TideSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads the keys and the first values of a source, for raw clients. */
final class Values {
    /** Enough values that the server's caches rarely see the same text, and few enough for this JVM. */
    private static final int MAX = 4 * RawRecords.MAX_BATCH;

    private static final long MAX_BYTES = 64 << 20;

    private Values() {}

    /** @param keys whether the keys are needed, which are read with all values */
    static RawRecords of(TideSource source, Topic topic, boolean keys) throws ToolException, InterruptedException {
        long byBytes = Math.max(1, (long) (MAX_BYTES / topic.bytesPerRecord()));
        long count = Math.min(topic.records(), Math.min(MAX, byBytes));
        List<byte[]> values = new ArrayList<>();
        List<byte[]> all = new ArrayList<>();
        source.stream(keys ? topic.records() : count, (key, value) -> {
            if (values.size() < count) {
                values.add(value);
            }
            if (keys) {
                all.add(key);
            }
        });
        return new RawRecords(values, all, Map.of());
    }
}
