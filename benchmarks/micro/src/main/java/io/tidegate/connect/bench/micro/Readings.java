package io.tidegate.connect.bench.micro;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.lab.tides.TideSources;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.sink.SinkRecord;

/** Tide readings of one partition, as Connect hands them to a task. */
public final class Readings {
    /** The topic of all readings. */
    public static final String TOPIC = "tides";

    private static final long FIRST_TIMESTAMP = 1_420_070_400_000L; // 2015
    private static final long STEP_MILLIS = 360_000;

    private Readings() {}

    /** The progress of the partition, with one lane. */
    public static Progress progress() {
        return new Progress(new TopicPartition(TOPIC, 0), 1);
    }

    /**
     * Makes records from offset 0 on.
     *
     * @param distinctKeys the number of different keys, which repeat
     */
    public static List<SinkRecord> records(int count, ConvertedValue form, int distinctKeys) {
        List<SinkRecord> records = new ArrayList<>(count);
        for (byte[] json : values(count)) {
            int offset = records.size();
            SchemaAndValue value = form.of(json);
            records.add(new SinkRecord(
                    TOPIC,
                    0,
                    null,
                    Integer.toString(offset % distinctKeys).getBytes(UTF_8),
                    value.schema(),
                    value.value(),
                    offset,
                    FIRST_TIMESTAMP + offset * STEP_MILLIS,
                    TimestampType.CREATE_TIME));
        }
        return records;
    }

    /** Predicted readings as JSON. */
    static List<byte[]> values(int count) {
        List<byte[]> values = new ArrayList<>(count);
        try {
            TideSources.predicted().stream(count, (key, value) -> values.add(value));
        } catch (ToolException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return values;
    }

    /** Makes records with bytes as values, each with a unique key. */
    public static List<SinkRecord> records(int count) {
        return records(count, ConvertedValue.BYTES, count);
    }

    /** Maps {@link #records(int)} to documents. */
    public static List<Document> documents(int count, DocumentMapper mapper) {
        return documents(records(count), mapper);
    }

    /** Maps records to documents. The mapper must not skip any. */
    public static List<Document> documents(List<SinkRecord> records, DocumentMapper mapper) {
        Progress progress = progress();
        return records.stream()
                .map(record -> mapper.map(record, progress).orElseThrow())
                .toList();
    }
}
