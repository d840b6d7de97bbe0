package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.harness.store.RawWriter;
import io.tidegate.connect.harness.tides.TideSource;
import io.tidegate.connect.tools.command.ToolException;
import java.util.ArrayList;
import java.util.List;

/** Reads the first values of a source, for clients that build their requests in advance. */
final class Values {
    /** Enough values that the server's caches rarely see the same text, and few enough for this JVM. */
    private static final int MAX = 4 * RawWriter.BATCH;

    private static final long MAX_BYTES = 64 << 20;

    private Values() {}

    static List<byte[]> of(TideSource source, Topic topic) throws ToolException, InterruptedException {
        long byBytes = Math.max(1, (long) (MAX_BYTES / topic.bytesPerRecord()));
        long count = Math.min(topic.records(), Math.min(MAX, byBytes));
        List<byte[]> values = new ArrayList<>();
        source.stream(count, (key, value) -> values.add(value));
        return values;
    }
}
