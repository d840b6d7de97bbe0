package io.tidegate.connect.bench.store;

import java.util.List;
import java.util.Map;

/**
 * What a raw client writes.
 *
 * @param values used in turn
 * @param keys those of all records, in the order of the topic; empty if they have none
 * @param config of the sink whose requests it sends
 */
public record RawRecords(List<byte[]> values, List<byte[]> keys, Map<String, String> config) {
    public RawRecords {
        values = List.copyOf(values);
        keys = List.copyOf(keys);
    }

    /** The value of the record with this number. */
    public byte[] value(long number) {
        return values.get((int) (number % values.size()));
    }

    /** A copy for another sink. */
    public RawRecords of(Map<String, String> other) {
        return new RawRecords(values, keys, other);
    }
}
