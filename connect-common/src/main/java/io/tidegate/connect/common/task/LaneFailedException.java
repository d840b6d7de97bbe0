package io.tidegate.connect.common.task;

import org.apache.kafka.connect.errors.ConnectException;

/** A lane writes nothing any more before a human changes something; its message says what. */
final class LaneFailedException extends ConnectException {
    private static final long serialVersionUID = 1L;

    LaneFailedException(ConnectException cause) {
        super(cause.getMessage(), cause);
    }
}
