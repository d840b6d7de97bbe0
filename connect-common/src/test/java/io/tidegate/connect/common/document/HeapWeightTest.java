package io.tidegate.connect.common.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.value.ByteSlice;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The estimate against the heap as the garbage collector sees it. */
final class HeapWeightTest {
    private static final long ENOUGH_TO_MATTER = 100_000; // bytes
    private static final int DOCUMENTS = 20_000;
    private static final String[] FIELDS = new String[20];
    private static final Schema STRUCT;
    private static final Schema KEY = SchemaBuilder.struct()
            .field("id", Schema.INT64_SCHEMA)
            .field("part", Schema.STRING_SCHEMA)
            .build();

    static {
        SchemaBuilder schema = SchemaBuilder.struct();
        for (int i = 0; i < FIELDS.length; i++) {
            FIELDS[i] = "a_field_with_number_" + i;
            schema.field(FIELDS[i], Schema.STRING_SCHEMA);
        }
        STRUCT = schema.build();
    }

    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();

    /** What converters give. */
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    enum Form {
        BYTES(offset -> consumed(offset, null, null, json(offset).getBytes(UTF_8))),
        SMALL_BYTES(offset -> consumed(offset, null, null, ("{\"n\":" + offset + "}").getBytes(UTF_8))),
        /** As a frame or an envelope leaves it. */
        SLICE(offset -> {
            SinkRecord record = consumed(offset, null, null, ("\0\0\0\0\7" + json(offset)).getBytes(UTF_8));
            byte[] array = (byte[]) record.value();
            ByteSlice json = ByteSlice.of(array, 5, array.length);
            return record.newRecord(Records.TOPIC, 0, null, null, null, json, record.timestamp());
        }),
        STRING(offset -> consumed(offset, null, null, json(offset))),
        MAP(offset -> consumed(offset, null, null, map(offset))),
        STRUCT_VALUE(offset -> consumed(offset, null, null, struct(offset))),
        STRING_KEY(offset -> consumed(offset, null, "a key with number " + offset, json(offset))),
        STRUCT_KEY(offset ->
                consumed(offset, KEY, new Struct(KEY).put("id", offset).put("part", "part " + offset), json(offset))),
        MAP_KEY(offset -> consumed(offset, null, Map.of("id", offset, "part", "part " + offset), json(offset))),
        HEADERS(offset -> {
            SinkRecord record = consumed(offset, null, null, json(offset).getBytes(UTF_8));
            for (int i = 0; i < 5; i++) {
                addHeader(record, "x-header-" + i, "the value " + i + " of record " + offset);
            }
            return record;
        });

        private final LongFunction<SinkRecord> records;

        Form(LongFunction<SinkRecord> records) {
            this.records = records;
        }
    }

    @ParameterizedTest
    @EnumSource
    void isWithinAQuarterOfTheHeap(Form form) {
        DocumentMapper mapper = new DocumentMapper(
                Records.topicsAsDestinations(),
                record -> record.key() == null
                        ? Document.NO_KEY
                        : String.valueOf(record.kafkaOffset()).getBytes(UTF_8),
                NullValues.FAIL);
        Progress progress = Records.progress(0);
        Document[] held = new Document[DOCUMENTS];
        long before = usedHeap();
        long estimated = 0;
        for (int offset = 0; offset < DOCUMENTS; offset++) {
            held[offset] = mapper.map(form.records.apply(offset), progress).orElseThrow();
            estimated += held[offset].bytesHeld();
        }
        double measured = usedHeap() - before;

        assertThat(estimated / measured)
                .as("%d bytes estimated, %.0f measured, for %d", estimated, measured, held.length)
                .isBetween(0.75, 1.25);
    }

    /** Collects until that frees nothing more: earlier tests leave what one collection does not reach. */
    private long usedHeap() {
        long used = Long.MAX_VALUE;
        for (int unchanged = 0; unchanged < 3; ) {
            memory.gc();
            long left = memory.getHeapMemoryUsage().getUsed();
            unchanged = left < used - ENOUGH_TO_MATTER ? 0 : unchanged + 1;
            used = Math.min(used, left);
        }
        return used;
    }

    private static String json(long offset) {
        StringBuilder json = new StringBuilder("{\"n\":").append(offset);
        for (String field : FIELDS) {
            json.append(",\"")
                    .append(field)
                    .append("\":\"value ")
                    .append(offset)
                    .append('"');
        }
        return json.append('}').toString();
    }

    private static Map<String, Object> map(long offset) {
        Map<String, Object> map = new HashMap<>();
        for (String field : FIELDS) {
            map.put(field, "value " + offset);
        }
        return map;
    }

    private static Struct struct(long offset) {
        Struct struct = new Struct(STRUCT);
        for (String field : FIELDS) {
            struct.put(field, "value " + offset);
        }
        return struct;
    }

    /** The bytes in Kafka: as long as the JSON of what is structured. */
    private static byte[] fetched(Object converted) {
        if (converted instanceof byte[] bytes) {
            return bytes;
        }
        return converted instanceof String text
                ? text.getBytes(UTF_8)
                : new JsonEncoder()
                        .encode(converted instanceof Struct struct ? struct.schema() : null, converted)
                        .bytes();
    }

    private static SinkRecord consumed(long offset, Schema keySchema, Object key, Object value) {
        byte[] rawKey = key == null ? null : fetched(key);
        byte[] rawValue = fetched(value);
        ConsumerRecord<byte[], byte[]> original = new ConsumerRecord<>(
                Records.TOPIC,
                0,
                offset,
                1_700_000_000_000L + offset,
                TimestampType.CREATE_TIME,
                rawKey == null ? ConsumerRecord.NULL_SIZE : rawKey.length,
                rawValue.length,
                rawKey,
                rawValue,
                new RecordHeaders(),
                Optional.of(1));
        return new Delivered(new Context(original), keySchema, key, null, value, original.timestamp(), null);
    }

    private static void addHeader(SinkRecord record, String key, String value) {
        ((Delivered) record).context.original.headers().add(key, value.getBytes(UTF_8));
        record.headers().addString(key, value);
    }

    /** As Connect's own, which keeps what the consumer fetched for the dead letter queue. */
    @SuppressWarnings("UnusedVariable") // they have their weight
    private static final class Context {
        final ConsumerRecord<byte[], byte[]> original;
        final Object position = null;
        final Class<?> executing = null;
        final Throwable error = null;

        Context(ConsumerRecord<byte[], byte[]> original) {
            this.original = original;
        }
    }

    /** As Connect's {@code InternalSinkRecord}. */
    private static final class Delivered extends SinkRecord {
        final Context context;

        Delivered(
                Context context,
                Schema keySchema,
                Object key,
                Schema valueSchema,
                Object value,
                Long timestamp,
                Iterable<Header> headers) {
            super(
                    context.original.topic(),
                    context.original.partition(),
                    keySchema,
                    key,
                    valueSchema,
                    value,
                    context.original.offset(),
                    timestamp,
                    context.original.timestampType(),
                    headers == null ? new ConnectHeaders() : headers);
            this.context = context;
        }

        @Override
        public SinkRecord newRecord(
                String topic,
                Integer kafkaPartition,
                Schema keySchema,
                Object key,
                Schema valueSchema,
                Object value,
                Long timestamp,
                Iterable<Header> headers) {
            return new Delivered(context, keySchema, key, valueSchema, value, timestamp, headers);
        }
    }
}
