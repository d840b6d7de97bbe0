package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.Identity;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.ServerOffsets;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.HttpStatus;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.client.Verdict;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.FailureClass;
import io.tidegate.connect.elasticsearch.settings.FailurePolicies;
import io.tidegate.connect.elasticsearch.settings.Policy;
import io.tidegate.connect.elasticsearch.settings.VersionSource;
import io.tidegate.connect.elasticsearch.settings.WriteMethod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.LongAdder;

/** Writes a batch as one bulk request. A lane's thread uses it, except for {@link #abort()}. */
public final class ElasticsearchBulkWriter implements BatchWriter {
    /** Most names that are remembered, because names that depend on records may be many. Those used last are kept. */
    private static final int MAX_KNOWN = 10_000;

    private static final String OF_EQUAL_VERSION = "the question for the document of an equal version";

    private static final Verdict VAIN_DELETION = new Verdict(
            Verdict.Kind.STALE,
            "give deletions a higher version, or set " + DocumentSettings.EXTERNAL_VERSION_TYPE + "=external_gte");

    private final ElasticsearchSession session;
    private final IndexCreator indexes;
    private final VectorMappings vectors;
    private final BulkBody body;
    private final DocumentSettings settings;
    private final FailurePolicies policies;
    private final ErrorOverrides overrides;
    private final FailureCounts counts;
    private final AccessGrace grace;
    private final Sender sender;
    private final StoredVersions stored;
    private final LogCheck logCheck;
    private final BodyMemory memory = BodyMemory.WORKER;
    private final LongAdder kept = new LongAdder();
    // Indexes that took documents, and were not missing since
    private final Set<String> found = Collections.newSetFromMap(new LinkedHashMap<>(16, 0.75f, true));

    public ElasticsearchBulkWriter(
            ElasticsearchSession session,
            IndexCreator indexes,
            VectorMappings vectors,
            BulkBody body,
            DocumentSettings settings,
            Sender sender,
            FailurePolicies policies,
            ErrorOverrides overrides,
            FailureCounts counts,
            AccessGrace grace) {
        this.session = requireNonNull(session, "session");
        this.indexes = requireNonNull(indexes, "indexes");
        this.vectors = requireNonNull(vectors, "vectors");
        this.body = requireNonNull(body, "body");
        this.settings = requireNonNull(settings, "settings");
        this.policies = requireNonNull(policies, "policies");
        this.overrides = requireNonNull(overrides, "overrides");
        this.counts = requireNonNull(counts, "counts");
        this.grace = requireNonNull(grace, "grace");
        this.stored = new StoredVersions(session, body);
        this.logCheck = new LogCheck(stored);
        this.sender = requireNonNull(sender, "sender");
    }

    /** Sends one request. If its body is large, it first waits for memory, and drops the body afterwards. */
    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        session.begin();
        BulkOutcome outcome = new BulkOutcome(policies, overrides, counts);
        long bytes = documents.stream()
                .mapToLong(document -> document.json().length())
                .sum();
        int room = takeRoom(bytes, documents, outcome);
        try {
            writeAtOnce(documents, outcome);
        } finally {
            if (room > 0) {
                body.abandon();
                memory.giveBack(room);
            }
        }
        kept.add(outcome.kept());
        return followed(outcome.named(), documents);
    }

    private int takeRoom(long bytes, List<Document> documents, BulkOutcome outcome) throws WriteException {
        try {
            return memory.take(bytes, session::isAborted);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unsent(documents, outcome, e);
        } catch (CancellationException e) {
            throw unsent(documents, outcome, e);
        }
    }

    /**
     * Names with each document what followed it under its id, also if that was written: an update, a newer version, or a
     * deletion that found nothing. If the document is written again, it would undo them.
     */
    private static List<Refusal> followed(List<Refusal> named, List<Document> attempted) {
        if (named.isEmpty()) {
            return named;
        }
        Map<Identity, List<Document>> byId = byId(attempted);
        return named.stream()
                .map(refusal -> refusal.followedBy(following(refusal.document(), byId)))
                .toList();
    }

    private static Map<Identity, List<Document>> byId(List<Document> documents) {
        Map<Identity, List<Document>> byId = new HashMap<>();
        documents.stream().filter(Document::hasKey).forEach(each -> byId.computeIfAbsent(
                        Identity.of(each), id -> new ArrayList<>())
                .add(each));
        return byId;
    }

    /** The documents after this one that have its id. */
    private static List<Document> following(Document document, Map<Identity, List<Document>> byId) {
        if (!document.hasKey()) {
            return List.of();
        }
        List<Document> ofId = byId.get(Identity.of(document));
        return ofId.subList(ofId.indexOf(document) + 1, ofId.size());
    }

    private static WriteException unsent(List<Document> documents, BulkOutcome outcome, Exception e) {
        String description = "a bulk request of " + documents.size() + " documents";
        return failed(RequestFailure.of(description, e), documents, outcome);
    }

    /** Writes the documents of indexes that can be used; the others are named. */
    private void writeAtOnce(List<Document> documents, BulkOutcome outcome) throws WriteException {
        List<Document> sent = fill(documents, outcome);
        boolean isSending = false;
        try {
            if (!sent.isEmpty()) {
                indexes.ensureTemplate(session);
                Map<String, RequestFailure> unusable = ensureIndexes(sent);
                if (vectors.learn(destinations(sent), session) || !unusable.isEmpty()) {
                    sent = fill(usable(sent, unusable, outcome), outcome);
                }
            }
            if (!sent.isEmpty()) {
                if (settings.version().isOfLog()) {
                    logCheck.check(sent);
                }
                isSending = true;
                List<Judged> failed = sender.send(sent);
                grace.accepted();
                settle(failed, sent, outcome);
                learn(failed, sent);
                body.forgetDocuments();
            }
        } catch (RequestFailure e) {
            body.abandon();
            RequestFailure failed = grace.classify(e);
            boolean mayBeOfDocument =
                    isSending && (failed.failure() == Failure.REJECTED || failed.failure() == Failure.TOO_MUCH);
            if (!mayBeOfDocument || sent.size() > 1) {
                throw failed(failed, sent, outcome);
            }
            outcome.request(sent.get(0), failed);
        }
    }

    /** Nobody knows what of the request was written. Only an error about the content may be a document's fault. */
    private static WriteException failed(RequestFailure e, List<Document> sent, BulkOutcome outcome) {
        return WriteException.ofSome(e.failure(), e.getMessage(), e, sent, outcome.named(), e.retryAfter())
                .coded(e.codes(), e.failure() == Failure.REJECTED ? sent : List.of());
    }

    private List<Document> usable(List<Document> documents, Map<String, RequestFailure> unusable, BulkOutcome outcome) {
        List<Document> usable = new ArrayList<>();
        for (Document document : documents) {
            String index = document.destination();
            RequestFailure reason = unusable.get(index);
            if (reason == null) {
                usable.add(document);
            } else {
                outcome.request(document, failsTask(document, reason) ? grace.classify(index, reason) : reason);
            }
        }
        return usable;
    }

    private boolean failsTask(Document document, RequestFailure reason) {
        List<String> codes = new ArrayList<>(reason.codes());
        codes.add(FailureClass.UNUSABLE_INDEX.code());
        return overrides.of(codes).isEmpty()
                && policies.of(FailureClass.UNUSABLE_INDEX, document.record().topic()) == Policy.FAIL;
    }

    /**
     * Makes sure that all indexes exist. If one cannot be created, that does not hold up the others.
     *
     * @return the indexes that cannot be created, with the reasons
     */
    private Map<String, RequestFailure> ensureIndexes(List<Document> sent) throws RequestFailure {
        Map<String, RequestFailure> unusable = new HashMap<>();
        for (String index : destinations(sent)) {
            try {
                indexes.ensure(index, session)
                        .ifPresentOrElse(reason -> unusable.put(index, reason), () -> grace.exists(index));
            } catch (RequestFailure e) {
                if (e.failure() != Failure.TRANSIENT || !e.isOfServer()) {
                    throw e;
                }
                unusable.put(index, e);
            }
        }
        return unusable;
    }

    /** Puts the documents into the body. Documents that would break it are refused before anything is sent. */
    private List<Document> fill(List<Document> documents, BulkOutcome outcome) {
        body.clear();
        List<Document> sent = new ArrayList<>(documents.size());
        for (Document document : documents) {
            try {
                body.add(document);
                sent.add(document);
            } catch (RefusedException e) {
                outcome.unfit(document, e);
            }
        }
        return sent;
    }

    private static Set<String> destinations(List<Document> documents) {
        Set<String> destinations = new LinkedHashSet<>();
        String last = "";
        for (Document document : documents) {
            if (!document.destination().equals(last)) {
                last = document.destination();
                destinations.add(last);
            }
        }
        return destinations;
    }

    private void settle(List<Judged> answered, List<Document> sent, BulkOutcome outcome) throws RequestFailure {
        List<Judged> unguarded = unguarded(answered); // first: a question that fails must leave no outcome behind
        List<Judged> failed = withVainDeletions(answered);
        boolean mayBeSuperseded = failed.stream().anyMatch(judged -> isMissing(judged) || isStale(judged));
        Map<Identity, List<Document>> byId = mayBeSuperseded ? byId(sent) : Map.of();
        for (Judged judged : failed) {
            if (mayBeSuperseded && isSuperseded(judged, byId)) {
                outcome.superseded();
            } else if (isGone(judged)) {
                outcome.indexDeleted(judged.document());
            } else if (isOfVectors(judged)) {
                vectors.giveUp(judged.document().destination(), judged.verdict().kind() == Verdict.Kind.NO_VECTOR);
                outcome.vectorsRefused(judged.document());
            } else if (unguarded.contains(judged)) {
                outcome.unguarded(judged.document());
            } else {
                outcome.item(judged);
            }
        }
    }

    private void learn(List<Judged> failed, List<Document> sent) {
        if (failed.isEmpty()) {
            found.addAll(destinations(sent));
            forgetOldest();
            return;
        }
        Set<Document> notWritten = Collections.newSetFromMap(new IdentityHashMap<>());
        failed.forEach(judged -> notWritten.add(judged.document()));
        sent.stream()
                .filter(document -> !notWritten.contains(document))
                .forEach(document -> found.add(document.destination()));
        failed.stream()
                .filter(judged -> judged.verdict().kind() == Verdict.Kind.NO_INDEX)
                .forEach(judged -> found.remove(judged.document().destination()));
        forgetOldest();
    }

    private void forgetOldest() {
        for (Iterator<String> each = found.iterator(); found.size() > MAX_KNOWN; ) {
            each.next();
            each.remove();
        }
    }

    /**
     * Whether the index of a document was deleted a moment ago. The next request creates it, or lets the server do so; if
     * it is missing then, too, nothing creates it.
     */
    private boolean isGone(Judged judged) {
        String index = judged.document().destination();
        return judged.verdict().kind() == Verdict.Kind.NO_INDEX && (indexes.forget(index) || found.contains(index));
    }

    private static boolean isMissing(Judged judged) {
        return judged.verdict().kind() == Verdict.Kind.MISSING;
    }

    private static boolean isStale(Judged judged) {
        return judged.verdict().kind() == Verdict.Kind.STALE;
    }

    /**
     * Whether a later document of the request explains the failure, because an earlier attempt wrote that one: a deletion
     * explains that there is nothing to update, and a version in the index that it is of a later document.
     */
    private boolean isSuperseded(Judged judged, Map<Identity, List<Document>> byId) {
        if (isMissing(judged)) {
            return settings.routing().isEmpty() // documents with one id may have several
                    && following(judged.document(), byId).stream()
                            .anyMatch(later -> body.methodOf(later) == WriteMethod.DELETE);
        }
        return isStale(judged)
                && !VAIN_DELETION.equals(judged.verdict())
                && ElasticsearchFailures.versions(judged.item().error())
                        .filter(versions -> following(judged.document(), byId).stream()
                                .anyMatch(later -> versions.current().equals(Long.toString(body.versionOf(later)))))
                        .isPresent();
    }

    /** The redriven documents that met a version as high as their own, and another content. */
    private List<Judged> unguarded(List<Judged> failed) throws RequestFailure {
        List<Judged> unguarded = new ArrayList<>();
        if (settings.isUnsureOfEqualVersions()) {
            for (Judged judged : failed) {
                if (judged.verdict().kind() == Verdict.Kind.KEPT && !isStored(judged.document())) {
                    unguarded.add(judged);
                }
            }
        }
        return unguarded;
    }

    /**
     * The same, but a deletion is stale if it met its own version in the document that it was to delete. Only versions of
     * records' own can be equal there, and only if an equal one does not replace.
     */
    private List<Judged> withVainDeletions(List<Judged> failed) throws RequestFailure {
        if (settings.version().kind() != VersionSource.Kind.TEMPLATE || settings.isUnsureOfEqualVersions()) {
            return failed;
        }
        List<Document> kept = failed.stream()
                .filter(judged -> judged.verdict().kind() == Verdict.Kind.KEPT)
                .map(Judged::document)
                .filter(document -> body.methodOf(document) == WriteMethod.DELETE)
                .toList();
        Map<Document, Long> versions = stored.ofAll(kept, OF_EQUAL_VERSION);
        return failed.stream()
                .map(judged -> isVain(judged.document(), versions) ? judged.as(VAIN_DELETION) : judged)
                .toList();
    }

    /** The index has a document, and its version is the deletion's. Another writer may have written a later one since. */
    private boolean isVain(Document document, Map<Document, Long> versions) {
        Long version = versions.get(document);
        return version != null && version == body.versionOf(document);
    }

    /** Whether the index has what the document says. Without the privilege to read, it does not. */
    private boolean isStored(Document document) throws RequestFailure {
        String path = "/" + Request.inPath(document.destination()) + "/_source/"
                + Request.inPath(new String(document.key(), StandardCharsets.UTF_8));
        Map<String, String> routing =
                body.routingOf(document).map(value -> Map.of("routing", value)).orElse(Map.of());
        Response response =
                session.perform(new Request("GET", path, routing, Optional.empty(), false), OF_EQUAL_VERSION);
        if (HttpStatus.isTemporary(response.status())) {
            throw RequestFailure.of(OF_EQUAL_VERSION, response);
        }
        if (body.methodOf(document) == WriteMethod.DELETE) {
            return response.status() == HttpStatus.NOT_FOUND;
        }
        try {
            byte[] stored = response.content().readAllBytes();
            return response.isSuccess()
                    && new String(stored, StandardCharsets.UTF_8)
                            .strip()
                            .equals(body.sourceOf(document).strip());
        } catch (IOException e) {
            throw RequestFailure.of(OF_EQUAL_VERSION, e);
        }
    }

    /** Whether the document may be written if its vectors are sent as they are. A failure store tells no reason. */
    private boolean isOfVectors(Judged judged) {
        return body.hasVectorsOf(judged.document())
                && switch (judged.verdict().kind()) {
                    case NO_VECTOR, MALFORMED, FAILURE_STORE -> true;
                    default -> false;
                };
    }

    @Override
    public long kept() {
        return kept.sum();
    }

    @Override
    public Optional<ServerOffsets> offsets() {
        return Optional.empty();
    }

    @Override
    public void abort() {
        session.abort();
    }

    /** Closes nothing: the client belongs to the target, and the body is only memory. */
    @Override
    public void close() {
        abort();
    }
}
