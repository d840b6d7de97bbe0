package io.tidegate.connect.bench.workload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.List;

/**
 * Values with their due time and their phase in front of their own fields: {@code {"t":MICROS,"p":PHASE,...}}. The
 * latency of a record that is sent late thus includes the delay. Thread-safe.
 */
public final class Stamped {
    private final List<byte[]> values;

    /**
     * Uses the values of a list in turn.
     *
     * @param values JSON objects with at least one field and no space before the brace
     */
    public Stamped(List<byte[]> values) {
        if (values.isEmpty() || values.stream().anyMatch(value -> value.length < 3 || value[0] != '{')) {
            throw new IllegalArgumentException(
                    "there must be at least one value, and every value must be a JSON" + " object with fields");
        }
        this.values = List.copyOf(values);
    }

    /** The value of a record. After the last value the first one follows again. */
    public byte[] value(long number, long dueMicros, int phase) {
        byte[] value = values.get((int) (number % values.size()));
        byte[] head = ("{\"t\":" + dueMicros + ",\"p\":" + phase + ",").getBytes(ISO_8859_1);
        byte[] whole = Arrays.copyOf(head, head.length + value.length - 1);
        System.arraycopy(value, 1, whole, head.length, value.length - 1);
        return whole;
    }
}
