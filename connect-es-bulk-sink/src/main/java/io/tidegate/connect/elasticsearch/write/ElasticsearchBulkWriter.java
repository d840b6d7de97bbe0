package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.override.ErrorOverride.Action;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.override.LaneOverrides;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.bulk.BulkResponse;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.ItemFailure;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.TransportException;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.FailurePolicies;
import io.tidegate.connect.elasticsearch.settings.WriteMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.LongAdder;

/** Writes a batch as one bulk request, or several. A lane's thread uses it, except for {@link #abort()}. */
public final class ElasticsearchBulkWriter implements BatchWriter {
    private final ElasticsearchSession session;
    private final Prerequisites prerequisites;
    private final BulkBody body;
    private final DocumentSettings settings;
    private final FailurePolicies policies;
    private final LaneOverrides overrides;
    private final FailureCounts counts;
    private final AdaptiveLimiter limiter;
    private final UnauthorizedGrace unauthorizedGrace;
    private final BulkSender sender;
    private final BodyMemory memory = BodyMemory.WORKER;
    private final Map<Document, Integer> serverErrors = new WeakHashMap<>(); // attempts in a row; lane's thread
    private final LongAdder kept = new LongAdder();

    public ElasticsearchBulkWriter(
            ElasticsearchSession session,
            Prerequisites prerequisites,
            BulkBody body,
            DocumentSettings settings,
            BulkParameters parameters,
            FailurePolicies policies,
            ErrorOverrides overrides,
            FailureCounts counts,
            AdaptiveLimiter limiter,
            UnauthorizedGrace unauthorizedGrace,
            Clock clock) {
        this.session = requireNonNull(session, "session");
        this.prerequisites = requireNonNull(prerequisites, "prerequisites");
        this.body = requireNonNull(body, "body");
        this.settings = requireNonNull(settings, "settings");
        this.policies = requireNonNull(policies, "policies");
        this.overrides = new LaneOverrides(overrides, clock);
        this.counts = requireNonNull(counts, "counts");
        this.limiter = requireNonNull(limiter, "limiter");
        this.unauthorizedGrace = requireNonNull(unauthorizedGrace, "unauthorizedGrace");
        this.sender = new BulkSender(session, body, settings, parameters, limiter, clock);
    }

    /** Sends one request, or several if the limits or the order require it. After a failed request no more are sent. */
    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        session.begin();
        List<Refusal> refusals = new ArrayList<>();
        int to;
        for (int from = 0; from < documents.size(); from = to) {
            BulkSplitter splitter = new BulkSplitter(limiter.rows(), limiter.bytes(), settings.isOrderedById());
            to = splitter.endOfPart(documents, from);
            if (from == 0 && to == documents.size()) {
                return writePart(documents);
            }
            try {
                refusals.addAll(writePart(documents.subList(from, to)));
            } catch (WriteException e) {
                throw e.within(refusals, documents.subList(to, documents.size()));
            }
        }
        return refusals;
    }

    /** Writes one part. If its body is large, it first waits for memory, and drops the body afterwards. */
    private List<Refusal> writePart(List<Document> documents) throws WriteException {
        long bytes = documents.stream()
                .mapToLong(document -> document.json().length())
                .sum();
        if (!memory.isLarge(bytes)) {
            return writeAtOnce(documents);
        }
        try {
            memory.take(bytes, session::isAborted);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unsent(documents, e);
        } catch (CancellationException e) {
            throw unsent(documents, e);
        }
        try {
            return writeAtOnce(documents);
        } finally {
            body.abandon();
            memory.giveBack(bytes);
        }
    }

    private WriteException unsent(List<Document> documents, Exception e) {
        return new BulkOutcome(policies, overrides, counts, settings)
                .failure(
                        RequestFailure.of(
                                "a bulk request of " + documents.size() + " documents", new TransportException(e)),
                        documents);
    }

    private List<Refusal> writeAtOnce(List<Document> documents) throws WriteException {
        BulkOutcome outcome = new BulkOutcome(policies, overrides, counts, settings);
        List<Document> sent = fill(documents, outcome);
        if (!outcome.isComplete()) {
            throw outcome.failure(documents.size());
        }
        if (sent.isEmpty()) {
            return outcome.refusals();
        }
        BulkResponse response;
        try {
            prerequisites.ensure(session);
            Map<String, RequestFailure> unusable = ensureIndexes(sent, outcome);
            if (!unusable.isEmpty()) {
                return writeOthers(sent, unusable, outcome);
            }
            response = sender.send(sent);
            unauthorizedGrace.accepted();
        } catch (RequestFailure e) {
            body.abandon();
            RequestFailure failed = overridden(unauthorizedGrace.classify(e), sent);
            if (failed.failure() != Failure.REJECTED || sent.size() > 1) {
                throw outcome.failure(failed, sent);
            }
            return refuse(sent.get(0), failed, outcome);
        }
        classify(sent, response, outcome);
        return outcome.refusals();
    }

    /**
     * What an override makes of the failure of a whole request. It may be the fault of the request itself, so that no
     * document is refused unless the failure table blames one.
     */
    private RequestFailure overridden(RequestFailure failed, List<Document> sent) {
        if (overrides.isEmpty()) {
            return failed;
        }
        // Any of them may be at fault, so the time of all begins. It ends when that of the first one does.
        Optional<Action> action = sent.stream()
                .map(document -> overrides.now(document, failed.codes(), failed.getMessage()))
                .toList()
                .get(0);
        if (action.isEmpty()) {
            return failed;
        }
        return switch (action.get()) {
            case RETRY -> failed.as(Failure.TRANSIENT, ErrorOverrides.ERROR_OVERRIDES + " retries it");
            case FAIL -> failed.as(Failure.FATAL, ErrorOverrides.ERROR_OVERRIDES + " fails the task");
            case REFUSE -> failed;
        };
    }

    /** A document that was alone in its request is at fault itself. A policy decides about it. */
    private static List<Refusal> refuse(Document document, RequestFailure refused, BulkOutcome outcome)
            throws WriteException {
        outcome.request(document, refused);
        if (!outcome.isComplete()) {
            throw outcome.failure(1);
        }
        return outcome.refusals();
    }

    /** Writes the documents of usable indexes. A policy decides about the others. */
    private List<Refusal> writeOthers(
            List<Document> documents, Map<String, RequestFailure> unusable, BulkOutcome outcome) throws WriteException {
        List<Document> others = new ArrayList<>();
        for (Document document : documents) {
            RequestFailure reason = unusable.get(document.destination());
            if (reason == null) {
                others.add(document);
            } else {
                outcome.unusableIndex(document, reason);
            }
        }
        List<Refusal> refusals = new ArrayList<>(outcome.refusals());
        try {
            refusals.addAll(writeAtOnce(others));
        } catch (WriteException e) {
            throw outcome.failure(e, documents);
        }
        if (!outcome.isComplete()) {
            throw outcome.failure(documents.size());
        }
        return refusals;
    }

    /**
     * Makes sure that all indexes exist. If an index cannot be created now but others may be, it does not hold them up.
     *
     * @return the indexes that cannot be created, with the reasons
     */
    private Map<String, RequestFailure> ensureIndexes(List<Document> sent, BulkOutcome outcome)
            throws RequestFailure, WriteException {
        Map<String, RequestFailure> unusable = new HashMap<>();
        for (String index : destinations(sent)) {
            try {
                prerequisites.ensureIndex(index, session).ifPresent(reason -> unusable.put(index, reason));
            } catch (RequestFailure e) {
                if (e.failure() != Failure.TRANSIENT || !e.isOfServer()) {
                    throw e;
                }
                throw WriteException.ofDestinations(
                        Map.of(index, e.getMessage()), e.getMessage(), sent, outcome.refusals());
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

    /** Classifies each failed item: already written, refused for good, or to be written again. */
    private void classify(List<Document> sent, BulkResponse response, BulkOutcome outcome) throws WriteException {
        for (int position : response.inFailureStore()) {
            outcome.inFailureStore(sent.get(position));
        }
        Map<Document, Integer> stillFailing = new HashMap<>();
        for (ItemFailure item : response.failures()) {
            Document document = sent.get(item.position());
            WriteMethod method = body.methodOf(document);
            boolean nothingToDelete = method == WriteMethod.DELETE && ElasticsearchFailures.isWithoutIndex(item);
            if (nothingToDelete) {
                continue;
            }
            if (ElasticsearchFailures.isAlreadyWritten(item, method, settings)) {
                kept.increment();
                continue;
            }
            if (ElasticsearchFailures.isWithoutAnyIndex(item) && prerequisites.forget(document.destination())) {
                outcome.indexDeleted(document);
                continue;
            }
            int attempts = 0;
            if (ElasticsearchFailures.isServerError(item)) {
                attempts = serverErrors.getOrDefault(document, 0) + 1;
                stillFailing.put(document, attempts);
            }
            outcome.item(document, item, attempts);
        }
        if (!serverErrors.isEmpty()) {
            sent.forEach(serverErrors::remove);
        }
        serverErrors.putAll(stillFailing);
        if (!outcome.isComplete()) {
            if (settings.writeMethod().isMerge()) {
                outcome.mergeAgain(sent);
            }
            throw outcome.failure(sent.size());
        }
    }

    @Override
    public long kept() {
        return kept.sum();
    }

    @Override
    public void abort() {
        session.abort();
        limiter.wake();
        memory.wake();
    }

    /** Closes nothing: the client belongs to the target, and the body is only memory. */
    @Override
    public void close() {
        abort();
    }
}
