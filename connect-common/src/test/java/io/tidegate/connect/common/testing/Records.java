package io.tidegate.connect.common.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.common.document.DestinationTemplates;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.document.TemplateDestinations;
import io.tidegate.connect.common.offset.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.sink.SinkRecord;

/** Records, and documents of them, as tests need them: all of one topic. */
public final class Records {
    public static final String TOPIC = "tides";

    private Records() {}

    /** Every record goes to the destination that has its topic's name. */
    public static TemplateDestinations topicsAsDestinations() {
        return new TemplateDestinations(
                DestinationTemplates.of(Template.parse("${topic}")),
                new RecordFields(Set.of()),
                parts -> parts.get(0),
                "");
    }

    public static TopicPartition partition(int partition) {
        return new TopicPartition(TOPIC, partition);
    }

    /** The progress of a partition that one lane may carry. */
    public static Progress progress(int partition) {
        return new Progress(partition(partition), 1);
    }

    /** A record with a small JSON value and no key. */
    public static SinkRecord record(int partition, long offset) {
        return record(partition, offset, null, "{\"offset\":" + offset + "}");
    }

    /** A record as a {@code StringConverter} would make it; key and value may be null. */
    public static SinkRecord record(int partition, long offset, String key, String value) {
        return new SinkRecord(
                TOPIC, partition, Schema.OPTIONAL_STRING_SCHEMA, key, Schema.OPTIONAL_STRING_SCHEMA, value, offset);
    }

    /** Records at consecutive offsets. */
    public static List<SinkRecord> records(int partition, long first, int count) {
        List<SinkRecord> records = new ArrayList<>();
        for (long offset = first; offset < first + count; offset++) {
            records.add(record(partition, offset));
        }
        return records;
    }

    /** A document without a key. */
    public static Document document(Progress progress, long offset) {
        return document(progress, offset, "");
    }

    public static Document document(Progress progress, long offset, String key) {
        return document(progress, offset, key, "{\"offset\":" + offset + "}");
    }

    public static Document document(Progress progress, long offset, String key, String json) {
        return document(progress, offset, TOPIC, key, json);
    }

    /** A document for its own destination. */
    public static Document document(Progress progress, long offset, String destination, String key, String json) {
        SinkRecord record = record(progress.partition().partition(), offset, key, json);
        return Document.write(record, progress, destination, key.getBytes(UTF_8), json.getBytes(UTF_8));
    }

    /** A document without a key for its own destination. */
    public static Document documentFor(String destination, Progress progress, long offset) {
        return document(progress, offset, destination, "", "{\"offset\":" + offset + "}");
    }

    /** Documents without keys at consecutive offsets. */
    public static List<Document> documents(Progress progress, long first, int count) {
        List<Document> documents = new ArrayList<>();
        for (long offset = first; offset < first + count; offset++) {
            documents.add(document(progress, offset));
        }
        return documents;
    }
}
