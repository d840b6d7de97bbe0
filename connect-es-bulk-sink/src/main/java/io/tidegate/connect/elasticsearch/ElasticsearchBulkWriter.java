package io.tidegate.connect.elasticsearch;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.RefusedException;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.bulk.BulkResponse;
import io.tidegate.connect.elasticsearch.bulk.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.bulk.ElasticsearchFailures.Verdict;
import io.tidegate.connect.elasticsearch.bulk.ItemFailure;
import io.tidegate.connect.elasticsearch.bulk.ServerError;
import io.tidegate.connect.elasticsearch.bulk.Waves;
import io.tidegate.connect.elasticsearch.client.Answer;
import io.tidegate.connect.elasticsearch.client.Call;
import io.tidegate.connect.elasticsearch.client.CallException;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Writes a batch as one bulk request. A lane's thread uses it, but for {@link #abort()}. */
final class ElasticsearchBulkWriter implements BatchWriter {
    private final AbortableCalls calls;
    private final Preparation preparation;
    private final BulkBody body;
    private final DocumentSettings settings;
    private final Map<String, String> parameters;

    ElasticsearchBulkWriter(
            AbortableCalls calls,
            Preparation preparation,
            BulkBody body,
            DocumentSettings settings,
            IndexSettings index) {
        this.calls = requireNonNull(calls, "calls");
        this.preparation = requireNonNull(preparation, "preparation");
        this.body = requireNonNull(body, "body");
        this.settings = requireNonNull(settings, "settings");
        this.parameters = new HashMap<>();
        parameters.put("filter_path", BulkResponse.FILTER_PATH);
        parameters.putAll(index.type().parameters());
        index.pipeline().ifPresent(name -> parameters.put("pipeline", name));
    }

    /** One request, or several where order demands it: what follows one that fails is not sent. */
    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        calls.begin();
        if (!settings.isOrderedById()) {
            return writeAtOnce(documents);
        }
        List<Refusal> refusals = new ArrayList<>();
        int to;
        for (int from = 0; from < documents.size(); from = to) {
            to = Waves.endOfWave(documents, from);
            try {
                refusals.addAll(writeAtOnce(documents.subList(from, to)));
            } catch (WriteException e) {
                refusals.addAll(e.refusals());
                List<Document> unwritten = new ArrayList<>(e.unwritten());
                unwritten.addAll(documents.subList(to, documents.size()));
                throw WriteException.ofSome(e.failure(), e.getMessage(), unwritten, refusals, e.retryAfter());
            }
        }
        return refusals;
    }

    private List<Refusal> writeAtOnce(List<Document> documents) throws WriteException {
        List<Refusal> refusals = new ArrayList<>();
        List<Document> sent = fill(documents, refusals);
        if (sent.isEmpty()) {
            return refusals;
        }
        List<ItemFailure> failures;
        try {
            preparation.prepare(destinations(sent), calls);
            failures = send(sent.size());
        } catch (FailedCall e) {
            body.abandon();
            throw WriteException.ofSome(e.failure(), e.getMessage(), sent, refusals, e.retryAfter());
        }
        return failures.isEmpty() ? refusals : settle(sent, failures, refusals);
    }

    /** Puts the documents into the body. Those that would break it are refused here, before anything is sent. */
    private List<Document> fill(List<Document> documents, List<Refusal> refusals) {
        body.clear();
        List<Document> sent = new ArrayList<>(documents.size());
        for (Document document : documents) {
            try {
                body.add(document);
                sent.add(document);
            } catch (RefusedException e) {
                refusals.add(new Refusal(document, e));
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

    private List<ItemFailure> send(int items) throws FailedCall {
        String request = "a bulk request of " + items + " documents";
        try {
            Answer answer = calls.perform(
                    new Call("POST", "/_bulk", parameters, Optional.of(body.data()), body.isCompressed()));
            if (!answer.isSuccess()) {
                throw FailedCall.of(request, answer, ServerError.read(answer.content()));
            }
            return BulkResponse.failures(answer.content(), items);
        } catch (CallException e) {
            throw FailedCall.of(request, e);
        } catch (IOException e) {
            throw FailedCall.of(request, new CallException(e));
        }
    }

    /** Judges each item that failed: written already, refused for good, or to be written again. */
    private List<Refusal> settle(List<Document> sent, List<ItemFailure> failures, List<Refusal> refusals)
            throws WriteException {
        List<Document> unwritten = new ArrayList<>();
        Optional<ItemFailure> worst = Optional.empty();
        Failure failure = Failure.TRANSIENT;
        for (ItemFailure item : failures) {
            Document document = sent.get(item.position());
            if (ElasticsearchFailures.isAlreadyWritten(item, settings)) {
                continue;
            }
            Verdict verdict = ElasticsearchFailures.ofItem(item.status(), item.error());
            if (verdict.failure() == Failure.REJECTED) {
                refusals.add(new Refusal(document, refusal(document, item)));
                continue;
            }
            unwritten.add(document);
            if (worst.isEmpty() || (failure != Failure.FATAL && verdict.failure() == Failure.FATAL)) {
                worst = Optional.of(item);
                failure = verdict.failure();
            }
        }
        if (worst.isPresent()) {
            throw WriteException.ofSome(
                    failure, message(sent, unwritten.size(), worst.get()), unwritten, refusals, Optional.empty());
        }
        return refusals;
    }

    private static RefusedException refusal(Document document, ItemFailure item) {
        String id = document.hasKey() ? new String(document.key(), StandardCharsets.UTF_8) : "automatic";
        return RefusedException.of(
                        "refused",
                        "Elasticsearch refused the document with status " + item.status() + ", " + item.error()
                                + ", index " + document.destination() + ", id " + id)
                .with("type", item.error().type())
                .with("status", item.status())
                .with("index", document.destination())
                .with("id", id);
    }

    private static String message(List<Document> sent, int unwritten, ItemFailure worst) {
        Verdict verdict = ElasticsearchFailures.ofItem(worst.status(), worst.error());
        return verdict.in(unwritten + " of " + sent.size() + " documents in a bulk request were not taken, with status "
                + worst.status() + " " + worst.error() + ", index "
                + sent.get(worst.position()).destination());
    }

    @Override
    public void abort() {
        calls.abort();
    }

    /** The client is the target's; the body is garbage. */
    @Override
    public void close() {
        calls.abort();
    }
}
