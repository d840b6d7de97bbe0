package io.tidegate.connect.elasticsearch.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.MetadataField;
import io.tidegate.connect.elasticsearch.settings.MetadataField.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * The members of a JSON object for a record's metadata. Their names and brackets are made once. What a record does not
 * have is null. One lane's thread uses it.
 */
final class MetadataMembers {
    private static final ByteSlice NULL = ByteSlice.of("null".getBytes(UTF_8));

    private final MetadataEncoder encoder;
    private final List<Source> sources = new ArrayList<>();
    private final List<byte[]> before = new ArrayList<>(); // the JSON before each source's value
    private final byte[] behind;

    MetadataMembers(List<MetadataField> fields) {
        this.encoder = new MetadataEncoder(MetadataMembers::wellFormed, json -> json);
        ByteBuilder json = new ByteBuilder(64);
        add(fields, 0, json);
        this.behind = taken(json);
    }

    private void add(List<MetadataField> fields, int depth, ByteBuilder json) {
        Map<String, List<MetadataField>> byName = new LinkedHashMap<>();
        fields.forEach(field -> byName.computeIfAbsent(field.path().get(depth), name -> new ArrayList<>())
                .add(field));
        String separator = "";
        for (Map.Entry<String, List<MetadataField>> member : byName.entrySet()) {
            json.append((separator + '"').getBytes(UTF_8));
            json.appendEscaped(member.getKey().getBytes(UTF_8));
            json.append("\":".getBytes(UTF_8));
            MetadataField first = member.getValue().get(0);
            if (first.path().size() == depth + 1) {
                sources.add(first.source());
                before.add(taken(json));
            } else {
                json.append((byte) '{');
                add(member.getValue(), depth + 1, json);
                json.append((byte) '}');
            }
            separator = ",";
        }
    }

    private static byte[] taken(ByteBuilder json) {
        byte[] bytes = Arrays.copyOf(json.array(), json.length());
        json.truncate(0);
        return bytes;
    }

    /**
     * Appends the members, separated by commas.
     *
     * @throws RefusedException when the key or a header has no JSON form
     */
    void append(Document document, ByteBuilder target) {
        for (int i = 0; i < sources.size(); i++) {
            target.append(before.get(i));
            appendValue(sources.get(i), document, target);
        }
        target.append(behind);
    }

    private void appendValue(Source source, Document document, ByteBuilder target) {
        SinkRecord record = document.record();
        switch (source) {
            case TOPIC -> appendText(document.topicUtf8(), target);
            case PARTITION -> target.append(document.partition());
            case OFFSET -> target.append(document.recordOffset());
            case TIMESTAMP -> appendTimestamp(record.timestamp(), target);
            case TIMESTAMP_TYPE -> appendType(record.timestampType(), target);
            case KEY ->
                readable(source, () -> encoder.keyOf(record))
                        .ifPresentOrElse(key -> appendText(key.bytes(), target), () -> target.append(NULL));
            case HEADERS ->
                target.append(readable(source, () -> encoder.headersOf(record)).orElse(NULL));
        }
    }

    private static void appendTimestamp(Long timestamp, ByteBuilder target) {
        if (timestamp == null || timestamp < 0) {
            target.append(NULL);
        } else {
            appendText(Instant.ofEpochMilli(timestamp).toString().getBytes(UTF_8), target);
        }
    }

    private static void appendType(TimestampType type, ByteBuilder target) {
        if (type == TimestampType.NO_TIMESTAMP_TYPE) {
            target.append(NULL);
        } else {
            appendText(type.name.getBytes(UTF_8), target);
        }
    }

    private static void appendText(byte[] utf8, ByteBuilder target) {
        target.append((byte) '"');
        target.appendEscaped(utf8);
        target.append((byte) '"');
    }

    private interface Encoding {
        Optional<ByteSlice> encode();
    }

    private static Optional<ByteSlice> readable(Source source, Encoding encoding) {
        try {
            return encoding.encode();
        } catch (RefusedException e) {
            throw new RefusedException(
                    "the record's " + (source == Source.KEY ? "key" : "headers") + " cannot be added to the document: "
                            + e.getMessage() + "; see " + DocumentSettings.METADATA_FIELDS,
                    e);
        }
    }

    private static byte[] wellFormed(byte[] utf8) {
        if (!Utf8.isWellFormed(utf8)) {
            throw new RefusedException("it holds half a surrogate pair, which has no form in UTF-8");
        }
        return utf8;
    }
}
