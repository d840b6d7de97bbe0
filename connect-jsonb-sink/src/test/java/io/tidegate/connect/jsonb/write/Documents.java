package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.Redeliveries;
import io.tidegate.connect.common.offset.StartingPoint;
import io.tidegate.connect.jsonb.Slices;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;

/** Documents as the mapper would make them. */
public final class Documents {
    private static final Progress PROGRESS = new Progress(new TopicPartition("readings", 3), 1);

    private Documents() {}

    static Document write(long offset, String table, String key, String json) {
        return write(PROGRESS, offset, table, key, json);
    }

    static Document write(Progress assignment, long offset, String table, String key, String json) {
        return Document.write(record(offset), assignment, table, bytes(key), Slices.inside(bytes(json)));
    }

    /** As a task would that was just assigned the partition. */
    static Progress newAssignment() {
        return new Progress(PROGRESS.partition(), 1);
    }

    /**
     * What Kafka delivers after the writer has said that partitions go on elsewhere, as a task makes it of these documents.
     */
    static List<Document> deliveredAgain(List<Document> documents) {
        Map<Progress, Progress> restarted = new HashMap<>();
        List<Document> again = new ArrayList<>();
        for (Document document : documents) {
            Optional<StartingPoint> restart = document.progress().restart();
            if (restart.isPresent() && document.offset() >= restart.get().nextOffset()) {
                Progress next = restarted.computeIfAbsent(
                        document.progress(), old -> new Progress(old.partition(), 1, restart, new Redeliveries()));
                again.add(Document.write(
                        document.record(), next, document.destination(), document.key(), document.json()));
            }
        }
        return again;
    }

    public static Document append(Progress assignment, long offset, String table) {
        return append(assignment, offset, table, "{\"n\": " + offset + "}");
    }

    public static Document append(Progress assignment, long offset, String table, String json) {
        return Document.write(record(offset), assignment, table, Document.NO_KEY, Slices.inside(bytes(json)));
    }

    public static Document append(long offset, String table, String json) {
        return write(offset, table, "", json);
    }

    static Document delete(long offset, String table, String key) {
        return delete(PROGRESS, offset, table, key);
    }

    static Document delete(Progress assignment, long offset, String table, String key) {
        return Document.delete(record(offset), assignment, table, bytes(key));
    }

    private static SinkRecord record(long offset) {
        return new SinkRecord("readings", 3, null, null, null, null, offset);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
