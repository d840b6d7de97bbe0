package io.tidegate.connect.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.List;

/**
 * Values that say when they were due and in which phase, in front of their own fields: {@code {"t":MICROS,"p":PHASE,...}}. A
 * record that is sent late has waited, and its latency says so. Any thread.
 */
public final class Stamped {
    private final List<byte[]> values;

    /**
     * Values from a list, in turn.
     *
     * @param values JSON objects with at least one field and nothing in front of their brace
     */
    public Stamped(List<byte[]> values) {
        if (values.isEmpty() || values.stream().anyMatch(value -> value.length < 3 || value[0] != '{')) {
            throw new IllegalArgumentException("values must be JSON objects with fields, at least one");
        }
        this.values = List.copyOf(values);
    }

    /** The value of a record; those after the last one begin again. */
    public byte[] value(long number, long dueMicros, int phase) {
        byte[] value = values.get((int) (number % values.size()));
        byte[] head = ("{\"t\":" + dueMicros + ",\"p\":" + phase + ",").getBytes(ISO_8859_1);
        byte[] whole = Arrays.copyOf(head, head.length + value.length - 1);
        System.arraycopy(value, 1, whole, head.length, value.length - 1);
        return whole;
    }
}
