package io.tidegate.connect.common.document;

import org.apache.kafka.connect.sink.SinkRecord;

/** Which table or index a record goes to. Pure; equal destinations should be the same {@code String}. */
@FunctionalInterface
public interface DestinationRule {
    /**
     * The name of the destination.
     *
     * @throws io.tidegate.connect.common.document.RefusedException when the record names no usable one
     */
    String destinationOf(SinkRecord record);
}
