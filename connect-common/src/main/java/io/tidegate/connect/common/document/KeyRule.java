package io.tidegate.connect.common.document;

import org.apache.kafka.connect.sink.SinkRecord;

/** What identifies a record's row or document in its destination. Pure. */
@FunctionalInterface
public interface KeyRule {
    /** Records are appended: none has an identity. */
    KeyRule NONE = record -> Document.NO_KEY;

    /**
     * The key in UTF-8, or {@link Document#NO_KEY}.
     *
     * @throws io.tidegate.connect.common.document.RefusedException when the record has no usable key and needs one
     */
    byte[] keyOf(SinkRecord record);
}
