package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.common.document.FramedKeys;
import io.tidegate.connect.common.document.KeyRule;
import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.document.ScalarText;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.IdSource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.connect.sink.SinkRecord;

/** Defines where a document's {@code _id} comes from. */
final class DocumentIds {
    /** Elasticsearch's limit, in bytes of UTF-8. */
    static final int MAX_BYTES = 512;

    private static final String KIND = "id";

    private DocumentIds() {}

    /**
     * The rule of one task.
     *
     * @param fields has all fields that the source needs
     */
    static KeyRule from(IdSource source, RecordFields fields) {
        return switch (source.kind()) {
            case KEY -> record -> checked(keyBytes(record));
            case COORDINATES -> new Coordinates();
            case NONE -> KeyRule.NONE;
            case TEMPLATE -> ofTemplate(source.template().orElseThrow(), fields);
        };
    }

    private static KeyRule ofTemplate(Template template, RecordFields fields) {
        return record -> {
            try {
                return checked(utf8("the document's id", template.fill(record, fields)));
            } catch (RefusedException e) {
                if (areAtFault(e)) {
                    throw e;
                }
                throw refused("the record has no id: " + e.getMessage() + "; see " + DocumentSettings.DOCUMENT_ID);
            }
        };
    }

    private static byte[] keyBytes(SinkRecord record) {
        Object key = record.key();
        if (FramedKeys.contain(key)) {
            throw refused(FramedKeys.REASON);
        }
        if (key instanceof ByteBuffer) { // Avro's converter returns bytes in this form
            key = ScalarText.bytesOf(key).orElseThrow();
        }
        if (key instanceof byte[] bytes) {
            if (!Utf8.isWellFormed(bytes)) {
                throw refused("the key is to be the document's id and is not UTF-8");
            }
            return bytes;
        }
        if (key instanceof String || key instanceof Number || key instanceof Boolean) {
            return utf8("the key", key.toString());
        }
        if (key == null) {
            throw refused("the key is to be the document's id and is null; set " + DocumentSettings.KEY_IGNORE
                    + "=true to take the record's coordinates");
        }
        throw refused("the key is to be the document's id and is a "
                + key.getClass().getSimpleName() + "; take one field of it with the transform ExtractField$Key, or set "
                + DocumentSettings.KEY_IGNORE + "=true");
    }

    /** Refuses half a surrogate pair. A replacement character could make two ids equal. */
    private static byte[] utf8(String what, String text) {
        if (!Utf8.isWellFormed(text)) {
            throw refused(what + " holds half a surrogate pair, which has no form in UTF-8");
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static RefusedException refused(String reason) {
        return RefusedException.of(KIND, reason);
    }

    /** Whether a record was refused because of its id. */
    private static boolean areAtFault(RefusedException reason) {
        return KIND.equals(reason.facts().get(RefusedException.KIND));
    }

    private static byte[] checked(byte[] id) {
        if (id.length == 0) {
            throw refused("the document's id is empty, and Elasticsearch allows no such id");
        }
        if (id.length > MAX_BYTES) {
            throw refused("the document's id has " + id.length + " bytes, and Elasticsearch allows " + MAX_BYTES);
        }
        return id;
    }

    /**
     * {@code topic+partition+offset} of the record in Kafka, before the transforms: unique, and the same on each
     * delivery. The part before the offset is kept from one record to the next; the task thread uses it.
     */
    private static final class Coordinates implements KeyRule {
        private String topic = "";
        private int partition = -1;
        private byte[] prefix = new byte[0];

        @Override
        public byte[] keyOf(SinkRecord record) {
            if (record.originalKafkaPartition() != partition
                    || !record.originalTopic().equals(topic)) {
                topic = record.originalTopic();
                partition = record.originalKafkaPartition();
                prefix = (topic + "+" + partition + "+").getBytes(StandardCharsets.UTF_8);
            }
            byte[] offset = Long.toString(record.originalKafkaOffset()).getBytes(StandardCharsets.ISO_8859_1);
            byte[] id = Arrays.copyOf(prefix, prefix.length + offset.length);
            System.arraycopy(offset, 0, id, prefix.length, offset.length);
            return checked(id);
        }
    }
}
