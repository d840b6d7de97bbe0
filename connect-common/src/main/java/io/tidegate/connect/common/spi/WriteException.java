package io.tidegate.connect.common.spi;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.RefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An attempt to write that left documents unwritten: which ones, and what kind of failure it was. */
public final class WriteException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Failure failure;
    private final transient List<Document> unwritten;
    private final transient List<Refusal> refusals;
    private final transient Optional<Duration> retryAfter;

    private WriteException(
            Failure failure,
            String message,
            Throwable cause,
            List<Document> unwritten,
            List<Refusal> refusals,
            Optional<Duration> retryAfter) {
        super(message, cause);
        this.failure = requireNonNull(failure, "failure");
        this.unwritten = List.copyOf(unwritten);
        this.refusals = List.copyOf(refusals);
        this.retryAfter = requireNonNull(retryAfter, "retryAfter");
    }

    /**
     * None of the documents is written, or it cannot be known.
     *
     * @param message the server's code and reason, and which setting to change; never the content of a record
     * @param documents what the attempt was given
     */
    public static WriteException ofAll(Failure failure, String message, Throwable cause, List<Document> documents) {
        requireUnwritten(documents, message);
        return new WriteException(failure, message, cause, documents, List.of(), Optional.empty());
    }

    private static void requireUnwritten(List<Document> documents, String message) {
        if (documents.isEmpty()) {
            throw new IllegalArgumentException("an attempt that left nothing unwritten did not fail: " + message);
        }
    }

    /** The server's own offsets could not be asked for or moved; no document was part of it. */
    public static WriteException ofOffsets(Failure failure, String message, Throwable cause) {
        return new WriteException(failure, message, cause, List.of(), List.of(), Optional.empty());
    }

    /**
     * Some are written, some refused for good, and the rest failed in one way.
     *
     * @param unwritten the rest, at least one, in the order in which the attempt was given them
     * @param refusals those refused for good; none of them is in {@code unwritten}
     * @param retryAfter how long the server asks to be left alone, if it does
     */
    public static WriteException ofSome(
            Failure failure,
            String message,
            List<Document> unwritten,
            List<Refusal> refusals,
            Optional<Duration> retryAfter) {
        requireUnwritten(unwritten, message);
        return new WriteException(failure, message, null, unwritten, refusals, retryAfter);
    }

    /** Why a document is refused that was alone in this attempt. */
    public RefusedException reason() {
        return getCause() instanceof RefusedException reason ? reason : RefusedException.of("refused", getMessage());
    }

    public Failure failure() {
        return failure;
    }

    /** What is to be written again, split or given up; in the order of the attempt. */
    public List<Document> unwritten() {
        return unwritten;
    }

    public List<Refusal> refusals() {
        return refusals;
    }

    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
