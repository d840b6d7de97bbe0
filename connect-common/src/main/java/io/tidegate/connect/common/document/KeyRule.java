package io.tidegate.connect.common.document;

import org.apache.kafka.connect.sink.SinkRecord;

/** How a record's row or document is identified in its destination. Pure. */
@FunctionalInterface
public interface KeyRule {
    /** Records are appended: they have no key. */
    KeyRule NONE = record -> Document.NO_KEY;

    /**
     * The key in UTF-8, or {@link Document#NO_KEY}.
     *
     * @throws io.tidegate.connect.common.value.RefusedException when the record has no usable key and needs one
     */
    byte[] keyOf(SinkRecord record);
}
