package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.Slices;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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

    /** Makes a writer the owner of these documents' partitions, as a task does before it delivers. */
    static void claim(BatchWriter writer, List<Document> documents) throws WriteException {
        if (writer.offsets().isPresent()) {
            Set<Progress> partitions =
                    documents.stream().map(Document::progress).collect(Collectors.toSet());
            assertThat(writer.offsets().get().claim(partitions)).containsOnlyKeys(partitions);
        }
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
