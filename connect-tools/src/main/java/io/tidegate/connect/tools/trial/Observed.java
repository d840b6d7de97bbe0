package io.tidegate.connect.tools.trial;

import io.tidegate.connect.common.delivery.AttemptObserver;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Remembers what the server has accepted and how the last attempt failed. One thread uses it. */
final class Observed implements AttemptObserver {
    private final Set<Document> accepted = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Document> skipped = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, String> closed = new LinkedHashMap<>();
    private final Set<Document> replaced = Collections.newSetFromMap(new IdentityHashMap<>());
    private final IdentityHashMap<Document, String> held = new IdentityHashMap<>();
    private Optional<WriteException> lastFailure = Optional.empty();

    boolean hasAccepted(Document document) {
        return accepted.contains(document);
    }

    /** Whether a policy skips the document, although the server refuses it. */
    boolean hasSkipped(Document document) {
        return skipped.contains(document);
    }

    /** The last failure that was about the server and not about documents. */
    String lastFailure() {
        return lastFailure.map(WriteException::getMessage).orElse("the server accepts nothing");
    }

    /** Whether a later document of its batch made this one pointless. */
    boolean isReplaced(Document document) {
        return replaced.contains(document);
    }

    /** Why the destination of a document accepted nothing; empty if it did. */
    Optional<String> whyHeld(Document document) {
        return Optional.ofNullable(held.get(document));
    }

    /**
     * A batch is over. Those of its documents that were neither accepted nor refused were held up, or never sent.
     *
     * @param sent without those that a later document of the batch makes pointless
     */
    void ended(List<Document> batch, List<Document> sent) {
        Set<Document> meant = Collections.newSetFromMap(new IdentityHashMap<>());
        meant.addAll(sent);
        for (Document document : batch) {
            String reason = closed.get(document.destination());
            if (reason != null) {
                held.put(document, reason);
            } else if (!meant.contains(document)) {
                replaced.add(document);
            }
        }
    }

    @Override
    public void attempted(List<Document> attempted, List<Refusal> named, Optional<WriteException> left, long nanos) {
        lastFailure = left.or(() -> lastFailure);
        left.map(WriteException::destinations).ifPresent(closed::putAll);
        Set<Document> others = new HashSet<>(left.map(WriteException::unwritten).orElse(List.of()));
        for (Refusal refusal : named) {
            others.add(refusal.document());
            if (refusal.failure() == Failure.SKIPPED) {
                skipped.add(refusal.document());
            }
        }
        attempted.stream().filter(each -> !others.contains(each)).forEach(each -> {
            accepted.add(each);
            closed.remove(each.destination());
        });
    }
}
