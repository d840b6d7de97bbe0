package io.tidegate.connect.common.spi;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.value.RefusedException;
import java.util.List;

/**
 * One document that the server named and did not write.
 *
 * @param failure what that means, unless an override says otherwise; with {@link Failure#DESTINATION} the document's
 *     destination accepts nothing now
 * @param codes of the server's error in their canonical form, the most specific one first; empty if it has none
 * @param reason never contains the content of the record
 * @param followers later documents of the attempt that are written again after this one, if this one is: otherwise it
 *     would undo them
 */
public record Refusal(
        Document document, Failure failure, List<String> codes, RefusedException reason, List<Document> followers) {
    public Refusal {
        requireNonNull(document, "document");
        requireNonNull(failure, "failure");
        codes = List.copyOf(codes);
        requireNonNull(reason, "reason");
        followers = List.copyOf(followers);
    }

    /** A document that none depends on. */
    public Refusal(Document document, Failure failure, List<String> codes, RefusedException reason) {
        this(document, failure, codes, reason, List.of());
    }

    /** The same with documents that depend on it. */
    public Refusal followedBy(List<Document> others) {
        return new Refusal(document, failure, codes, reason, others);
    }

    /** A document that will never be taken. */
    public Refusal(Document document, RefusedException reason) {
        this(document, Failure.REJECTED, List.of(), reason);
    }

    /** The same with another meaning. */
    public Refusal as(Failure other) {
        return new Refusal(document, other, codes, reason, followers);
    }

    /** Whether nothing more happens to the document than that it is refused or skipped. */
    public boolean isFinal() {
        return failure == Failure.REJECTED || failure == Failure.SKIPPED;
    }
}
