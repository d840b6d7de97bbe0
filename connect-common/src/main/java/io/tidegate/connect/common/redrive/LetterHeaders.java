package io.tidegate.connect.common.redrive;

/** The headers that Connect adds to a record that it puts into a dead letter topic, once more each time. */
public final class LetterHeaders {
    /** What the names of all of them begin with. */
    public static final String PREFIX = "__connect.errors.";

    /** The topic that the record was read from. The first header of this name says the original topic. */
    public static final String TOPIC = PREFIX + "topic";

    /** The partition that the record was read from. */
    public static final String PARTITION = PREFIX + "partition";

    /** The offset that the record was read from. */
    public static final String OFFSET = PREFIX + "offset";

    /** The reason, and the facts. The last header of this name is of the last refusal. */
    public static final String MESSAGE = PREFIX + "exception.message";

    private LetterHeaders() {}
}
