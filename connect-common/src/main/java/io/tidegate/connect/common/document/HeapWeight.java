package io.tidegate.connect.common.document;

import io.tidegate.connect.common.value.ByteSlice;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Estimates the heap memory of a document: the record as the consumer fetched it and Connect converted it, and what the
 * sink made of it. Sizes are those of a 64-bit JVM with compressed pointers, which HotSpot uses below 32 GB.
 */
public final class HeapWeight {
    /** The consumer's record, Connect's record and context, and the document, each with its headers, and an array. */
    static final long RECORD = 360;

    private static final long ARRAY = 20; // header and, on average, padding
    private static final long TEXT = 24 + ARRAY;
    private static final long BOXED = 24;
    private static final long POINTER = 4;
    private static final long STRUCT = 24 + ARRAY;
    private static final long LIST = 24 + ARRAY;
    private static final long MAP = 48 + ARRAY;
    private static final long ENTRY = 32 + 2 * POINTER;

    /** Objects of the consumer and of Connect for a header, without its name and values. */
    private static final long HEADER = 140;

    /** A structured value takes about this fraction of its heap size as bytes in Kafka. */
    private static final int FETCHED_PART = 4;

    /** Deeper parts of a key or header are not counted. */
    private static final int MAX_DEPTH = 16;

    private HeapWeight() {}

    /**
     * The bytes of a document.
     *
     * @param record with the document, or a deleted row, as its value
     * @param fetched the value as Connect delivered it; a converted one is released, and was fetched in about as many
     *     bytes as its JSON has
     */
    static int of(SinkRecord record, byte[] key, Object fetched) {
        byte[] held = arrayOf(record.value());
        long bytes = RECORD + held.length;
        if (fetched instanceof byte[] || fetched instanceof ByteSlice) {
            bytes += arrayOf(fetched) == held ? 0 : ARRAY + arrayOf(fetched).length;
        } else if (fetched != null) {
            bytes += ARRAY + held.length;
        }
        if (key.length > 0 && key != record.key()) {
            bytes += ARRAY + key.length;
        }
        return (int) Math.min(Integer.MAX_VALUE, bytes + ofKeyAndHeaders(record));
    }

    /** The bytes of a record without a document, as Connect delivered it. */
    public static long of(SinkRecord record) {
        return RECORD + twice(record.value()) + ofKeyAndHeaders(record);
    }

    private static long ofKeyAndHeaders(SinkRecord record) {
        long bytes = twice(record.key());
        for (Header header : record.headers()) {
            bytes += HEADER + TEXT + header.key().length() + twice(header.value());
        }
        return bytes;
    }

    private static byte[] arrayOf(Object value) {
        return value instanceof byte[] bytes
                ? bytes
                : value instanceof ByteSlice slice ? slice.array() : Document.NO_KEY;
    }

    /** The value as converted, and as fetched unless both are the same array. */
    private static long twice(Object value) {
        if (value instanceof ByteSlice slice) { // JSON of a value that was fetched in about as many bytes
            return 2 * (ARRAY + (long) slice.array().length);
        }
        long converted = of(value, 0);
        if (value instanceof byte[] || value == null) {
            return converted;
        }
        return converted + (value instanceof String text ? ARRAY + text.length() : converted / FETCHED_PART);
    }

    private static long of(Object value, int depth) {
        if (value == null || value instanceof Boolean || depth > MAX_DEPTH) {
            return 0;
        }
        if (value instanceof byte[] bytes) {
            return ARRAY + bytes.length;
        }
        if (value instanceof String text) {
            return TEXT + text.length();
        }
        if (value instanceof ByteBuffer buffer) {
            return TEXT + buffer.capacity();
        }
        if (value instanceof Struct || value instanceof Map || value instanceof List) {
            return ofParts(value, depth + 1);
        }
        return BOXED;
    }

    private static long ofParts(Object value, int depth) {
        long bytes = 0;
        if (value instanceof Struct struct) {
            for (Field field : struct.schema().fields()) {
                bytes += POINTER + of(struct.getWithoutDefault(field.name()), depth);
            }
            return STRUCT + bytes;
        }
        if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                bytes += ENTRY + of(entry.getKey(), depth) + of(entry.getValue(), depth);
            }
            return MAP + bytes;
        }
        for (Object element : (List<?>) value) {
            bytes += POINTER + of(element, depth);
        }
        return LIST + bytes;
    }
}
