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
    /** The most records in a request. */
    public static final int MAX_BATCH = 5_000;

    private static final double MAX_REQUEST_BYTES = 16 << 20;

    public RawRecords {
        values = List.copyOf(values);
        keys = List.copyOf(keys);
    }

    /** The value of the record with this number. */
    public byte[] value(long number) {
        return values.get((int) (number % values.size()));
    }

    /** The number of records in a request, which has about 16 MB at most. */
    int batch() {
        double bytes = values.stream().mapToInt(value -> value.length).average().orElse(0);
        return (int) Math.max(1, Math.min(MAX_BATCH, MAX_REQUEST_BYTES / bytes));
    }

    /** A copy for another sink. */
    public RawRecords of(Map<String, String> other) {
        return new RawRecords(values, keys, other);
    }
}
