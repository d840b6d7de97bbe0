package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.HeapWeight;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.value.RefusedException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;

/** One refused record: waiting, or reported but not confirmed. A lane makes it, the task thread changes it. */
final class DeadLetter {
    private final Progress progress;
    private final SinkRecord record;
    private final RefusedException reason;
    private final long bytesHeld;
    private Optional<Future<Void>> confirmation = Optional.empty(); // written by the task thread

    DeadLetter(Progress progress, SinkRecord record, RefusedException reason) {
        this.progress = requireNonNull(progress, "progress");
        this.record = requireNonNull(record, "record");
        this.reason = requireNonNull(reason, "reason");
        this.bytesHeld = HeapWeight.of(record);
    }

    Progress progress() {
        return progress;
    }

    SinkRecord record() {
        return record;
    }

    RefusedException reason() {
        return reason;
    }

    /** Bytes that it keeps on the heap until it is confirmed: an estimate. */
    long bytesHeld() {
        return bytesHeld;
    }

    boolean isReported() {
        return confirmation.isPresent();
    }

    void reported(Future<Void> pending) {
        confirmation = Optional.of(pending);
    }

    /**
     * Waits until the report is confirmed or the time is over.
     *
     * @return whether this record needs nothing more
     * @throws ConnectException when the report failed
     */
    boolean isSettledWithin(long nanos, Clock clock) throws InterruptedException {
        if (confirmation.isEmpty() || !clock.await(confirmation.get(), nanos)) {
            return false;
        }
        try {
            confirmation.get().get();
            return true;
        } catch (ExecutionException e) {
            throw new ConnectException("the dead letter queue did not take " + this, e.getCause());
        }
    }

    @Override
    public String toString() {
        return progress + "@" + record.originalKafkaOffset();
    }
}
