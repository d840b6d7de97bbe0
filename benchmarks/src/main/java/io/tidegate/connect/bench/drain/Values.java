package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.store.RawWriter;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.tools.ToolException;
import io.tidegate.connect.tools.tides.TideSource;
import java.util.ArrayList;
import java.util.List;

/** The first values of a source, for clients that build their requests before they are timed. */
final class Values {
    /** Enough that no cache of the server's sees the same text often, and small enough for this JVM. */
    private static final int MOST = 4 * RawWriter.BATCH;

    private static final long MOST_BYTES = 64 << 20;

    private Values() {}

    static List<byte[]> of(TideSource source, Topic topic) throws ToolException, InterruptedException {
        long byBytes = Math.max(1, (long) (MOST_BYTES / topic.bytesPerRecord()));
        long count = Math.min(topic.records(), Math.min(MOST, byBytes));
        List<byte[]> values = new ArrayList<>();
        source.stream(count, (key, value) -> values.add(value));
        return values;
    }
}
