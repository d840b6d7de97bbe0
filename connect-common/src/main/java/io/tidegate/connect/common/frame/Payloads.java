package io.tidegate.connect.common.frame;

import java.util.Collection;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.sink.SinkRecord;

/** What is behind the frames of one side of a record. The task thread uses it. */
interface Payloads {
    /**
     * The JSON in the frame as a {@link io.tidegate.connect.common.value.ByteSlice}; the same object when there is no
     * frame and none is expected.
     *
     * @param framed as a converter gave it; may be null
     * @throws io.tidegate.connect.common.value.RefusedException when the frame is damaged, or what it holds cannot
     *     become JSON
     */
    Object payloadOf(Object framed, Headers headers);

    /**
     * Fetches what the values of these records need.
     *
     * @throws org.apache.kafka.connect.errors.RetriableException when it cannot be fetched now
     */
    default void prepare(Collection<SinkRecord> records) {}
}
