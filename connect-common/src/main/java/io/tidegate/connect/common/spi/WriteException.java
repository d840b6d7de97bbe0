package io.tidegate.connect.common.spi;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.value.RefusedException;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An attempt to write that left documents unwritten: which ones, what kind of failure it was, and the codes of the
 * server's error, which an override may name.
 */
public final class WriteException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The worse one decides about an attempt if some of its documents failed in one way and some in another. */
    private static final List<Failure> SEVERITY = List.of(
            Failure.SKIPPED,
            Failure.REJECTED,
            Failure.DESTINATION,
            Failure.BUSY,
            Failure.TOO_MUCH,
            Failure.TRANSIENT,
            Failure.FATAL);

    private final Failure failure;
    private final transient List<Document> unwritten;
    private final transient List<Refusal> refusals;
    private final transient Optional<Duration> retryAfter;
    private final transient Map<String, String> destinations;
    private final transient List<String> codes;
    private final transient List<Document> suspects;
    private final boolean isSlow;

    private WriteException(
            Failure failure,
            String message,
            Throwable cause,
            List<Document> unwritten,
            List<Refusal> refusals,
            Optional<Duration> retryAfter,
            Map<String, String> destinations,
            List<String> codes,
            List<Document> suspects,
            boolean isSlow) {
        super(message, cause);
        if (failure == Failure.SKIPPED) {
            throw new IllegalArgumentException("only a document that the server named is skipped: " + message);
        }
        this.failure = requireNonNull(failure, "failure");
        this.unwritten = List.copyOf(unwritten);
        this.refusals = List.copyOf(refusals);
        this.retryAfter = requireNonNull(retryAfter, "retryAfter");
        this.destinations = Collections.unmodifiableMap(new LinkedHashMap<>(destinations));
        this.codes = List.copyOf(codes);
        this.suspects = List.copyOf(suspects);
        this.isSlow = isSlow;
    }

    /**
     * No document is written, or it is unknown whether any is.
     *
     * @param message the server's code and reason, and which setting to change; never the content of a record
     * @param documents those given to the attempt
     */
    public static WriteException ofAll(Failure failure, String message, Throwable cause, List<Document> documents) {
        return ofSome(failure, message, cause, documents, List.of(), Optional.empty());
    }

    /** The server's own offsets could not be read or moved. No document was part of the attempt. */
    public static WriteException ofOffsets(Failure failure, String message, Throwable cause) {
        return new WriteException(
                failure, message, cause, List.of(), List.of(), Optional.empty(), Map.of(), List.of(), List.of(), false);
    }

    /**
     * Some are written, some refused for good, and the rest failed in one way.
     *
     * @param cause an exception that says how the rest failed
     * @param unwritten the rest, at least one, in the order in which the attempt was given them
     * @param refusals those that the server named; none of them is in {@code unwritten}
     * @param retryAfter how long the server asks to be left alone, if it does
     */
    public static WriteException ofSome(
            Failure failure,
            String message,
            Throwable cause,
            List<Document> unwritten,
            List<Refusal> refusals,
            Optional<Duration> retryAfter) {
        if (unwritten.isEmpty()) {
            throw new IllegalArgumentException("an attempt that left nothing unwritten did not fail: " + message);
        }
        return new WriteException(
                failure, message, cause, unwritten, refusals, retryAfter, Map.of(), List.of(), List.of(), false);
    }

    /**
     * The server named all documents that it did not write, but some of them are not refused for good.
     *
     * @param attempted in the order of the attempt
     * @param named one or more of them is not {@linkplain Refusal#isFinal final}
     */
    public static WriteException ofNamed(List<Document> attempted, List<Refusal> named) {
        return ofOffsets(Failure.REJECTED, "", null).with(named).named(attempted);
    }

    /**
     * The same failure, or a worse one of a document that the server named, with all documents that are to be written
     * again in the order of the attempt. The named ones that are refused or skipped remain apart.
     */
    public WriteException named(List<Document> attempted) {
        if (refusals.stream().allMatch(Refusal::isFinal)) {
            return this;
        }
        Map<String, String> closed = new LinkedHashMap<>(destinations);
        Set<Document> again = new HashSet<>(unwritten);
        Optional<Refusal> worst = refusals.stream()
                .filter(each -> !each.isFinal())
                .max(Comparator.comparing(each -> SEVERITY.indexOf(each.failure())))
                .filter(each -> SEVERITY.indexOf(each.failure()) > SEVERITY.indexOf(failure));
        for (Refusal refusal : refusals) {
            if (!refusal.isFinal()) {
                again.add(refusal.document());
                again.addAll(refusal.followers());
            }
            if (refusal.failure() == Failure.DESTINATION) {
                closed.putIfAbsent(
                        refusal.document().destination(), refusal.reason().getMessage());
            }
        }
        List<Refusal> finals = refusals.stream().filter(Refusal::isFinal).toList();
        finals.forEach(each -> again.remove(each.document()));
        return new WriteException(
                worst.map(Refusal::failure).orElse(failure),
                worst.map(each -> each.reason().getMessage()).orElse(getMessage()),
                worst.<Throwable>map(Refusal::reason).orElse(getCause()),
                attempted.stream().filter(again::contains).toList(),
                finals,
                retryAfter,
                closed,
                List.of(),
                List.of(),
                isSlow);
    }

    /**
     * The same failure, with what an override needs to know.
     *
     * @param serverCodes of the server's error in their canonical form, the most specific one first
     * @param suspected the documents of which one may be at fault, so that an override may refuse it; empty if none is,
     *     or if it is unknown what the server refused
     */
    public WriteException coded(List<String> serverCodes, List<Document> suspected) {
        return new WriteException(
                failure,
                getMessage(),
                getCause(),
                unwritten,
                refusals,
                retryAfter,
                destinations,
                serverCodes,
                suspected,
                isSlow);
    }

    /** The same failure of destinations whose documents take the server too long, while others wait for it. */
    public WriteException slow() {
        return new WriteException(
                failure,
                getMessage(),
                getCause(),
                unwritten,
                refusals,
                retryAfter,
                destinations,
                codes,
                suspects,
                true);
    }

    /**
     * The same failure with another meaning.
     *
     * @param closed by destination, why the server accepts nothing for it now
     */
    public WriteException as(Failure other, String message, Map<String, String> closed) {
        return new WriteException(
                other, message, getCause(), unwritten, refusals, retryAfter, closed, codes, suspects, isSlow);
    }

    /** The same failure with other verdicts on the documents that the server named. */
    public WriteException with(List<Refusal> others) {
        return new WriteException(
                failure,
                getMessage(),
                getCause(),
                unwritten,
                others,
                retryAfter,
                destinations,
                codes,
                suspects,
                isSlow);
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

    /** The documents that the server named, and what happens to each. */
    public List<Refusal> refusals() {
        return refusals;
    }

    /** Why the server accepts nothing for these destinations now; empty if it says nothing about single ones. */
    public Map<String, String> destinations() {
        return destinations;
    }

    /** See {@link #slow}. */
    public boolean isSlow() {
        return isSlow;
    }

    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /** See {@link #coded}. */
    public List<String> codes() {
        return codes;
    }

    /** See {@link #coded}. */
    public List<Document> suspects() {
        return suspects;
    }
}
