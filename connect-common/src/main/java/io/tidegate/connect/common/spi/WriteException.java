package io.tidegate.connect.common.spi;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.value.RefusedException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** An attempt to write that left documents unwritten: which ones, and what kind of failure it was. */
public final class WriteException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Failure failure;
    private final transient List<Document> unwritten;
    private final transient List<Refusal> refusals;
    private final transient Optional<Duration> retryAfter;
    private final transient Map<String, String> destinations;

    private WriteException(
            Failure failure,
            String message,
            Throwable cause,
            List<Document> unwritten,
            List<Refusal> refusals,
            Optional<Duration> retryAfter,
            Map<String, String> destinations) {
        super(message, cause);
        this.failure = requireNonNull(failure, "failure");
        this.unwritten = List.copyOf(unwritten);
        this.refusals = List.copyOf(refusals);
        this.retryAfter = requireNonNull(retryAfter, "retryAfter");
        this.destinations = Collections.unmodifiableMap(new LinkedHashMap<>(destinations));
    }

    /**
     * No document is written, or it is unknown whether any is.
     *
     * @param message the server's code and reason, and which setting to change; never the content of a record
     * @param documents those given to the attempt
     */
    public static WriteException ofAll(Failure failure, String message, Throwable cause, List<Document> documents) {
        requireUnwritten(documents, message);
        return new WriteException(failure, message, cause, documents, List.of(), Optional.empty(), Map.of());
    }

    private static void requireUnwritten(List<Document> documents, String message) {
        if (documents.isEmpty()) {
            throw new IllegalArgumentException("an attempt that left nothing unwritten did not fail: " + message);
        }
    }

    /** The server's own offsets could not be read or moved. No document was part of the attempt. */
    public static WriteException ofOffsets(Failure failure, String message, Throwable cause) {
        return new WriteException(failure, message, cause, List.of(), List.of(), Optional.empty(), Map.of());
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
        return ofSome(failure, message, null, unwritten, refusals, retryAfter);
    }

    /**
     * Like {@link #ofSome(Failure, String, List, List, Optional)}, but with an exception that says how the rest failed.
     */
    public static WriteException ofSome(
            Failure failure,
            String message,
            Throwable cause,
            List<Document> unwritten,
            List<Refusal> refusals,
            Optional<Duration> retryAfter) {
        requireUnwritten(unwritten, message);
        return new WriteException(failure, message, cause, unwritten, refusals, retryAfter, Map.of());
    }

    /**
     * Some are written, some are refused for good, and the rest wait for their destinations.
     *
     * @param reasons by destination, why the server accepts nothing for it now; never the content of a record
     * @param unwritten those that failed for these reasons, at least one, in the order in which the attempt was given
     *     them
     * @param refusals those refused for good; none of them is in {@code unwritten}
     */
    public static WriteException ofDestinations(
            Map<String, String> reasons, String message, List<Document> unwritten, List<Refusal> refusals) {
        if (unwritten.stream().noneMatch(document -> reasons.containsKey(document.destination()))) {
            throw new IllegalArgumentException("nothing is left for " + reasons.keySet() + ": " + message);
        }
        return new WriteException(Failure.DESTINATION, message, null, unwritten, refusals, Optional.empty(), reasons);
    }

    /** The same failure for a longer attempt: some documents were refused before these, and some were not tried. */
    public WriteException within(List<Refusal> refusedBefore, List<Document> untried) {
        return new WriteException(
                failure,
                getMessage(),
                getCause(),
                Stream.concat(unwritten.stream(), untried.stream()).toList(),
                Stream.concat(refusedBefore.stream(), refusals.stream()).toList(),
                retryAfter,
                destinations);
    }

    /** Why the only document of this attempt is refused. */
    public RefusedException reason() {
        return getCause() instanceof RefusedException reason ? reason : RefusedException.of("refused", getMessage());
    }

    public Failure failure() {
        return failure;
    }

    /** The documents to write again, split or give up, in the order of the attempt. */
    public List<Document> unwritten() {
        return unwritten;
    }

    public List<Refusal> refusals() {
        return refusals;
    }

    /** Why the server accepts nothing for these destinations now; empty for other failures. */
    public Map<String, String> destinations() {
        return destinations;
    }

    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
