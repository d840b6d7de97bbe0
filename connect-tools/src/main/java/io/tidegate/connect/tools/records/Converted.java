package io.tidegate.connect.tools.records;

import static java.util.Objects.requireNonNull;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.connect.runtime.errors.Stage;
import org.apache.kafka.connect.sink.SinkRecord;

/** What converters and transforms made of a record of a topic. */
public sealed interface Converted {
    /** The record as it is in Kafka. */
    ConsumerRecord<byte[], byte[]> raw();

    /** The task gets it. Its original topic, partition and offset are those in Kafka. */
    record Delivered(ConsumerRecord<byte[], byte[]> raw, SinkRecord record) implements Converted {
        public Delivered {
            requireNonNull(raw, "raw");
            requireNonNull(record, "record");
        }
    }

    /** A transform dropped it. */
    record Dropped(ConsumerRecord<byte[], byte[]> raw) implements Converted {
        public Dropped {
            requireNonNull(raw, "raw");
        }
    }

    /**
     * A converter or transform failed.
     *
     * @param stage which one
     * @param executing its class
     * @param error what it threw
     * @param isTolerable whether errors.tolerance=all makes Connect skip the record; else the task fails anyway
     */
    record Failed(
            ConsumerRecord<byte[], byte[]> raw, Stage stage, Class<?> executing, Throwable error, boolean isTolerable)
            implements Converted {
        public Failed {
            requireNonNull(raw, "raw");
            requireNonNull(stage, "stage");
            requireNonNull(executing, "executing");
            requireNonNull(error, "error");
        }
    }
}
