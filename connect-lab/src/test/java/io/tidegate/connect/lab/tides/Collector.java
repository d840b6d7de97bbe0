package io.tidegate.connect.lab.tides;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.cli.ToolException;
import java.util.ArrayList;
import java.util.List;

/** Keeps the records of a source as text. */
final class Collector implements TideSource.Receiver {
    final List<String> keys = new ArrayList<>();
    final List<String> values = new ArrayList<>();

    @Override
    public void accept(byte[] key, byte[] value) {
        keys.add(new String(key, UTF_8));
        values.add(new String(value, UTF_8));
    }

    static Collector of(TideSource source, long limit) throws ToolException, InterruptedException {
        Collector collector = new Collector();
        long streamed = source.stream(limit, collector);
        if (streamed != collector.values.size()) {
            throw new AssertionError("said " + streamed + ", handed over " + collector.values.size());
        }
        return collector;
    }
}
