package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.client.ItemFailure;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.settings.ElasticsearchErrorCodes;
import io.tidegate.connect.elasticsearch.settings.FailureClass;
import io.tidegate.connect.elasticsearch.settings.FailurePolicies;
import io.tidegate.connect.elasticsearch.settings.Policy;
import io.tidegate.connect.elasticsearch.settings.VectorSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The documents of one attempt that the server did not write, each with what its verdict and the policies say. */
final class BulkOutcome {
    /** The kind of a refusal that only an override asks for. */
    private static final String OVERRIDDEN = "override";

    private final FailurePolicies policies;
    private final ErrorOverrides overrides;
    private final FailureCounts counts;
    private final List<Refusal> named = new ArrayList<>();
    private int kept;

    BulkOutcome(FailurePolicies policies, ErrorOverrides overrides, FailureCounts counts) {
        this.policies = requireNonNull(policies, "policies");
        this.overrides = requireNonNull(overrides, "overrides");
        this.counts = requireNonNull(counts, "counts");
    }

    /** The documents that were not written, in the order in which they were judged. */
    List<Refusal> named() {
        return named;
    }

    /** Documents for which the index has what they say already, or something later. */
    int kept() {
        return kept;
    }

    /** Handles a document that a later one of the request has made needless. */
    void superseded() {
        kept++;
    }

    /** Handles a redriven document that met another of the same version. */
    void unguarded(Document document) {
        named.add(new Refusal(
                document,
                RefusedException.of(
                        DocumentMapper.UNGUARDED,
                        "the index " + document.destination() + " has another content with the version of this record,"
                                + " or keeps it in another form, as it may with vectors and pipelines. So nothing shows"
                                + " which of the two is newer; see redrive")));
    }

    private boolean isOverridden(List<String> codes) {
        return overrides.of(codes).isPresent();
    }

    /** Handles a document that could not be put into a request. */
    void unfit(Document document, RefusedException reason) {
        if (DocumentMapper.UNGUARDED.equals(reason.facts().get(RefusedException.KIND))) {
            named.add(new Refusal(document, reason)); // the record is not malformed, and may be redriven elsewhere
        } else {
            name(document, FailureClass.MALFORMED_DOCUMENT, List.of(), reason);
        }
    }

    /** Handles a document that the server did not write where it was to go. */
    void item(Judged judged) {
        switch (judged.verdict().kind()) {
            case DONE -> {}
            case KEPT -> kept++;
            default -> {
                ItemFailure item = judged.item();
                List<String> codes = ElasticsearchErrorCodes.of(item.error().type(), item.status());
                Optional<FailureClass> failureClass = judged.verdict().kind().failureClass();
                RefusedException reason = refusal(failureClass, judged);
                failureClass.ifPresentOrElse(
                        each -> name(judged.document(), each, codes, reason),
                        () -> name(judged.document(), judged.verdict().kind().ofRequest(), codes, reason));
            }
        }
    }

    /** Handles a document that was alone in a failed request, or whose index cannot be created. */
    void request(Document document, RequestFailure failed) {
        Optional<FailureClass> failureClass = failed.kind().failureClass();
        if (failureClass.isPresent()) {
            RefusedException reason = refusal(failureClass.get(), document, failed.getMessage());
            name(document, failureClass.get(), failed.codes(), reason);
        } else {
            name(document, failed.failure(), failed.codes(), RefusedException.of(OVERRIDDEN, failed.getMessage()));
        }
    }

    /** Handles a document whose index was deleted. The next attempt creates the index, or lets the server do so. */
    void indexDeleted(Document document) {
        String reason = "the index " + document.destination()
                + " was deleted; the next request shows whether it is created again";
        named.add(new Refusal(document, Failure.DESTINATION, List.of(), RefusedException.of(OVERRIDDEN, reason)));
    }

    /** Handles a document that was refused with vectors in Base64. The next attempt sends them as they are. */
    void vectorsRefused(Document document) {
        String reason = "the index " + document.destination() + " refused a document whose "
                + VectorSettings.VECTOR_FIELDS + " were in Base64, so it is sent again with arrays";
        // The first attempt was not as the server needs it. That is no outage, and no retry that is counted.
        named.add(new Refusal(document, Failure.BUSY, List.of(), RefusedException.of(OVERRIDDEN, reason)));
    }

    /** What the kind of an error says. One that passes by itself concerns this document's index only. */
    private void name(Document document, Failure failure, List<String> codes, RefusedException reason) {
        Failure ofIndex = failure == Failure.FATAL ? Failure.FATAL : Failure.DESTINATION;
        named.add(new Refusal(document, ofIndex, codes, reason));
    }

    /** What the policy of a class says. */
    private void name(Document document, FailureClass failureClass, List<String> ofServer, RefusedException reason) {
        counts.count(failureClass);
        List<String> codes = new ArrayList<>(ofServer);
        codes.add(failureClass.code());
        Policy policy = policies.of(failureClass, document.record().topic());
        boolean isSkipped = policy.meaning() == Failure.SKIPPED && !isOverridden(codes);
        if (isSkipped && policy == Policy.WARN) {
            counts.warn(failureClass, document.toString(), reason.getMessage());
        }
        if (isSkipped && failureClass == FailureClass.STALE_DOCUMENT) {
            kept++; // a later one is in the index, so the earlier one that this one replaced is stale, too
        } else {
            named.add(new Refusal(document, policy.meaning(), codes, reason));
        }
    }

    private RefusedException refusal(FailureClass failureClass, Document document, String message) {
        return RefusedException.of(failureClass.code(), message + hint(failureClass, document))
                .with("index", document.destination());
    }

    /** How a document is handled that is not given up, and what could say otherwise. */
    private String hint(FailureClass failureClass, Document document) {
        return switch (policies.of(failureClass, document.record().topic())) {
            case RETRY, FAIL ->
                "; to carry on past such documents, see error.overrides and its code " + failureClass.code();
            default -> "";
        };
    }

    private RefusedException refusal(Optional<FailureClass> failureClass, Judged judged) {
        Document document = judged.document();
        ItemFailure item = judged.item();
        String id = document.hasKey() ? new String(document.key(), StandardCharsets.UTF_8) : "automatic";
        String message = judged.verdict()
                .in(
                        switch (judged.verdict().kind()) {
                            case STALE -> stale(document, item);
                            case MISSING -> // the server's reason has the id, and this may be logged
                                "the document to update does not exist ("
                                        + item.error().type() + "), index " + document.destination();
                            case TAKEN -> // the server's reason has the document's dimensions
                                "the index " + document.destination()
                                        + " has a document with the id that it made for this one";
                            case FAILURE_STORE ->
                                "Elasticsearch put the document into the failure store of " + document.destination();
                            default ->
                                "Elasticsearch refused the document with status " + item.status() + ", " + item.error()
                                        + ", index " + document.destination() + ", id " + id;
                        });
        return RefusedException.of(
                        failureClass.map(FailureClass::code).orElse(OVERRIDDEN),
                        message + failureClass.map(each -> hint(each, document)).orElse(""))
                .with("type", item.error().type())
                .with("reason", item.error().reason())
                .with("status", item.status())
                .with("index", document.destination())
                .with("id", id);
    }

    /** Leaves out the id, which the server's reason repeats, because documents of this class are logged by default. */
    private static String stale(Document document, ItemFailure item) {
        return ElasticsearchFailures.versions(item.error())
                        .map(versions -> versions.provided().equals(versions.current())
                                ? "the deletion has the version of the document in the index (version "
                                        + versions.current() + "), which stays"
                                : "the document is older (version " + versions.provided()
                                        + ") than the one in the index (version " + versions.current() + ")")
                        .orElse("the document is older than the one in the index")
                + ", index " + document.destination();
    }
}
