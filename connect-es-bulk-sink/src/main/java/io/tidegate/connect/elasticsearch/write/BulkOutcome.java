package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.override.ErrorOverride.Action;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.override.LaneOverrides;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures.Classification;
import io.tidegate.connect.elasticsearch.client.ItemFailure;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.ElasticsearchErrorCodes;
import io.tidegate.connect.elasticsearch.settings.FailureClass;
import io.tidegate.connect.elasticsearch.settings.FailurePolicies;
import io.tidegate.connect.elasticsearch.settings.Policy;
import io.tidegate.connect.elasticsearch.write.BulkSplitter.Identity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The documents of one request that were not written, and why. Each is classified once. One lane's thread. */
final class BulkOutcome {
    private final FailurePolicies policies;
    private final LaneOverrides overrides;
    private final FailureCounts counts;
    private final DocumentSettings settings;
    private final List<Refusal> refusals = new ArrayList<>();
    private final List<Document> unwritten = new ArrayList<>();
    private final Set<Document> judged = new HashSet<>();
    private final Map<String, String> reasons = new LinkedHashMap<>(); // by destination, for unwritten documents
    private Optional<Problem> worst = Optional.empty();

    /** The kind of a refusal that only an override asks for. */
    private static final String OVERRIDDEN = "override";

    /** Why documents are left. The message of the whole attempt contains it. */
    private record Problem(Failure failure, String text) {}

    BulkOutcome(FailurePolicies policies, LaneOverrides overrides, FailureCounts counts, DocumentSettings settings) {
        this.overrides = requireNonNull(overrides, "overrides");
        this.policies = requireNonNull(policies, "policies");
        this.counts = requireNonNull(counts, "counts");
        this.settings = requireNonNull(settings, "settings");
    }

    /** The documents that are refused for good. */
    List<Refusal> refusals() {
        return refusals;
    }

    /** Whether no document has to be written again. */
    boolean isComplete() {
        return unwritten.isEmpty();
    }

    /** Refuses a document that could not be put into a request. */
    void unfit(Document document, RefusedException reason) {
        apply(FailureClass.MALFORMED, document, reason, Classification.of(Failure.FATAL));
    }

    /** Handles a document that is in the failure store of its data stream, where the server counts it as written. */
    void inFailureStore(Document document) {
        refuse(
                FailureClass.FAILURE_STORE,
                document,
                "failure_store",
                "Elasticsearch put the document into the failure store of " + document.destination()
                        + " and says there why");
    }

    /**
     * Handles an item that the server did not carry out.
     *
     * @param attempts how often in a row this document caused a server error
     */
    void item(Document document, ItemFailure item, int attempts) {
        judged.add(document);
        Classification classification = ElasticsearchFailures.ofItem(item.status(), item.error());
        Optional<FailureClass> failureClass = ElasticsearchFailures.classOf(item, settings);
        if (!overrides.isEmpty() && isOverridden(document, item, attempts, failureClass, classification)) {
            return;
        }
        if (failureClass.isEmpty() || (failureClass.get() == FailureClass.SERVER_ERROR && !isHopeless(attempts))) {
            leave(document, classification, "status " + item.status() + " " + item.error());
            return;
        }
        apply(failureClass.get(), document, refusal(failureClass, document, item, attempts), classification);
    }

    private boolean isOverridden(
            Document document,
            ItemFailure item,
            int attempts,
            Optional<FailureClass> failureClass,
            Classification classification) {
        List<String> codes = ElasticsearchErrorCodes.of(item.error().type(), item.status());
        RefusedException reason = refusal(failureClass, document, item, attempts);
        return isOverridden(document, codes, failureClass, reason, classification);
    }

    /** Does what an override says about a document with such an error, if there is one. */
    private boolean isOverridden(
            Document document,
            List<String> codes,
            Optional<FailureClass> failureClass,
            RefusedException reason,
            Classification classification) {
        Optional<Action> action = overrides.now(document, codes, reason.getMessage());
        if (action.isEmpty()) {
            return false;
        }
        String text = reason.getMessage() + " (" + ErrorOverrides.ERROR_OVERRIDES + ")";
        switch (action.get()) {
            case RETRY -> leave(document, new Classification(Failure.TRANSIENT, classification.advice()), text);
            case FAIL -> leave(document, new Classification(Failure.FATAL, classification.advice()), text);
            case REFUSE -> {
                failureClass.ifPresent(counts::count);
                refusals.add(new Refusal(document, reason));
            }
        }
        return true;
    }

    private static String kindOf(FailureClass failureClass) {
        return failureClass.name().toLowerCase(Locale.ROOT);
    }

    /** Handles a document whose content the server refused with the whole request, in which it was alone. */
    void request(Document document, RequestFailure refused) {
        refuse(FailureClass.MALFORMED, document, refused);
    }

    /** Handles a document whose index cannot be created from its definition. */
    void unusableIndex(Document document, RequestFailure reason) {
        refuse(FailureClass.INDEX, document, reason);
    }

    private void refuse(FailureClass failureClass, Document document, RequestFailure refused) {
        String kind = kindOf(failureClass);
        RefusedException reason =
                RefusedException.of(kind, refused.getMessage()).with("index", document.destination());
        boolean isOverridden = isOverridden(
                document, refused.codes(), Optional.of(failureClass), reason, Classification.of(Failure.FATAL));
        if (!isOverridden) {
            refuse(failureClass, document, kind, refused.getMessage());
        }
    }

    /** Handles a document whose index was deleted. The next attempt creates the index from its definition. */
    void indexDeleted(Document document) {
        leave(document, Classification.of(Failure.TRANSIENT), "the index was deleted and is to be created again");
    }

    private void refuse(FailureClass failureClass, Document document, String kind, String reason) {
        apply(
                failureClass,
                document,
                RefusedException.of(kind, reason).with("index", document.destination()),
                Classification.of(Failure.FATAL));
    }

    /** After this many attempts in a row a server error counts as the document's fault. */
    private static boolean isHopeless(int attempts) {
        return attempts >= ElasticsearchFailures.HOPELESS_ATTEMPTS;
    }

    private void apply(
            FailureClass failureClass, Document document, RefusedException reason, Classification classification) {
        Policy policy = policies.of(failureClass);
        switch (policy) {
            case RETRY ->
                leave(
                        document,
                        new Classification(Failure.TRANSIENT, classification.advice()),
                        reason.getMessage() + "; to carry on past such documents, see " + failureClass.setting());
            case FAIL ->
                leave(
                        document,
                        new Classification(Failure.FATAL, classification.advice()),
                        reason.getMessage() + " (" + failureClass.setting() + "=fail)");
            default -> {
                counts.count(failureClass);
                skipOrRefuse(policy, failureClass, document, reason);
            }
        }
    }

    private void skipOrRefuse(Policy policy, FailureClass failureClass, Document document, RefusedException reason) {
        if (policy == Policy.DLQ) {
            refusals.add(new Refusal(document, reason));
        } else if (policy == Policy.WARN) {
            counts.warn(failureClass, document.toString(), reason.getMessage());
        }
    }

    /** Keeps a document to be written again. A fault that a human must fix has priority over a temporary one. */
    private void leave(Document document, Classification classification, String reason) {
        unwritten.add(document);
        String text = classification.in(reason + ", index " + document.destination());
        reasons.putIfAbsent(document.destination(), text);
        boolean worse = worst.isEmpty()
                || (worst.get().failure() != Failure.FATAL && classification.failure() == Failure.FATAL);
        if (worse) {
            worst = Optional.of(new Problem(classification.failure(), text));
        }
    }

    /**
     * If a document must be written again, later documents that were merged into the same id are also written again.
     * Otherwise the earlier one would be merged over them.
     */
    void mergeAgain(List<Document> sent) {
        Set<Document> left = new HashSet<>(unwritten);
        Set<Identity> ids = new HashSet<>();
        unwritten.clear();
        for (Document document : sent) {
            if (left.contains(document)) {
                ids.add(Identity.of(document));
                unwritten.add(document);
            } else if (!judged.contains(document) && ids.contains(Identity.of(document))) {
                unwritten.add(document);
            }
        }
    }

    /** The failure of the attempt if documents are left. */
    WriteException failure(int sent) {
        Problem problem = worst.orElseThrow();
        String message = unwritten.size() + " of " + sent + " documents in a bulk request were not taken, with "
                + problem.text();
        return problem.failure() == Failure.FATAL
                ? WriteException.ofSome(Failure.FATAL, message, unwritten, refusals, Optional.empty())
                : WriteException.ofDestinations(reasons, message, unwritten, refusals);
    }

    /** The failure of an attempt whose whole request failed. */
    WriteException failure(RequestFailure e, List<Document> sent) {
        return WriteException.ofSome(e.failure(), e.getMessage(), e, sent, refusals, e.retryAfter());
    }

    /** The failure of these documents if the attempt for some of them failed, too. */
    WriteException failure(WriteException e, List<Document> documents) {
        Set<Document> left = new HashSet<>(unwritten);
        left.addAll(e.unwritten());
        List<Refusal> refused = new ArrayList<>(refusals);
        refused.addAll(e.refusals());
        List<Document> again = documents.stream().filter(left::contains).toList();
        if (e.failure() != Failure.FATAL && worst.isPresent() && worst.get().failure() == Failure.FATAL) {
            return WriteException.ofSome(Failure.FATAL, worst.get().text(), again, refused, Optional.empty());
        }
        if (e.failure() == Failure.DESTINATION) {
            Map<String, String> all = new LinkedHashMap<>(reasons);
            all.putAll(e.destinations());
            return WriteException.ofDestinations(all, e.getMessage(), again, refused);
        }
        return WriteException.ofSome(e.failure(), e.getMessage(), e.getCause(), again, refused, e.retryAfter());
    }

    private static RefusedException refusal(
            Optional<FailureClass> failureClass, Document document, ItemFailure item, int attempts) {
        String id = document.hasKey() ? new String(document.key(), StandardCharsets.UTF_8) : "automatic";
        String message = failureClass.equals(Optional.of(FailureClass.STALE))
                ? stale(document, item)
                : "Elasticsearch refused the document with status " + item.status() + ", " + item.error() + ", index "
                        + document.destination() + ", id " + id
                        + (attempts > 1 ? ", in " + attempts + " attempts" : "");
        RefusedException refusal = RefusedException.of(
                        failureClass.map(BulkOutcome::kindOf).orElse(OVERRIDDEN), message)
                .with("type", item.error().type())
                .with("reason", item.error().reason())
                .with("status", item.status())
                .with("index", document.destination())
                .with("id", id);
        return attempts > 1 ? refusal.with("attempts", attempts) : refusal;
    }

    /** Leaves out the id, which the server's reason repeats, because documents of this class are logged by default. */
    private static String stale(Document document, ItemFailure item) {
        return ElasticsearchFailures.versions(item)
                        .map(versions -> "the document is older (version " + versions.provided()
                                + ") than the one in the index (version " + versions.current() + ")")
                        .orElse("the document is older than the one in the index")
                + ", index " + document.destination();
    }
}
