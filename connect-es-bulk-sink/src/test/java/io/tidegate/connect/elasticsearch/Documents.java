package io.tidegate.connect.elasticsearch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.elasticsearch.settings.DestinationType;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;

/** Documents as a task would map them. */
public final class Documents {
    private static final String TOPIC = "tides";
    private static final Progress PROGRESS = new Progress(new TopicPartition(TOPIC, 0), 1);

    private Documents() {}

    /** Settings of an index with the topic's name. */
    public static IndexSettings index(DestinationType type) {
        return index("destination.type", EnumSetting.text(type));
    }

    public static IndexSettings index(String... settings) {
        Map<String, String> props = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            props.put(settings[i], settings[i + 1]);
        }
        return IndexSettings.from(new AbstractConfig(IndexSettings.define(new ConfigDef()), props, false));
    }

    public static Document of(String index, String id, long offset, String json) {
        return of(index, id, offset, json.getBytes(UTF_8));
    }

    public static Document of(String index, String id, long offset, byte[] json) {
        return Document.write(record(offset, json), PROGRESS, index, id.getBytes(UTF_8), inside(json));
    }

    /** A document whose record has a timestamp. */
    public static Document timed(String index, long timestampMs, String json) {
        SinkRecord record =
                new SinkRecord(TOPIC, 0, null, null, null, json, 0, timestampMs, TimestampType.CREATE_TIME, List.of());
        return Document.write(record, PROGRESS, index, Document.NO_KEY, inside(json.getBytes(UTF_8)));
    }

    /** These bytes in the middle of bytes that would show if they were read, as a frame or an envelope gives them. */
    public static ByteSlice inside(byte[] json) {
        byte[] array = new byte[json.length + 7];
        Arrays.fill(array, (byte) '"');
        System.arraycopy(json, 0, array, 5, json.length);
        return ByteSlice.of(array, 5, 5 + json.length);
    }

    public static Document delete(String index, String id, long offset) {
        return Document.delete(record(offset, null), PROGRESS, index, id.getBytes(UTF_8));
    }

    /** Documents {@code 0} and on, each with its offset for an id. */
    public static List<Document> numbered(String index, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> of(index, Integer.toString(i), i, "{\"level\":" + i + "}"))
                .toList();
    }

    public static SinkRecord record(Object key, Object value, long offset) {
        return new SinkRecord(TOPIC, 0, null, key, null, value, offset);
    }

    private static SinkRecord record(long offset, byte[] json) {
        return record(null, json, offset);
    }
}
