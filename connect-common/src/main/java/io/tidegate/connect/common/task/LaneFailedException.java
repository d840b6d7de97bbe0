package io.tidegate.connect.common.task;

import io.tidegate.connect.common.spi.WriteException;
import java.util.Optional;
import org.apache.kafka.connect.errors.ConnectException;

/** A lane has stopped writing until a human changes something; its message says what. */
final class LaneFailedException extends ConnectException {
    private static final long serialVersionUID = 1L;

    LaneFailedException(ConnectException cause) {
        super(cause.getMessage(), cause);
    }

    /** The failure of the last write, if the lane failed because of it. */
    Optional<WriteException> failedWrite() {
        return getCause().getCause() instanceof WriteException write ? Optional.of(write) : Optional.empty();
    }
}
