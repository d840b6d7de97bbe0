package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.bulk.BulkResponse;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.ItemFailure;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.client.UnreadableResponseException;
import io.tidegate.connect.elasticsearch.client.Verdict;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Sends the body of a writer as one bulk request. A lane's thread uses it. */
public final class BulkSender implements Sender {
    private final ElasticsearchSession session;
    private final BulkBody body;
    private final DocumentSettings settings;
    private final BulkParameters parameters;
    private final FailureCounts counts;
    private final Set<String> withoutPrimary = new HashSet<>(); // the server waited in vain for their primary shards
    private int requests = ThreadLocalRandom.current().nextInt(); // so that lanes do not select the same shards
    private boolean lastRequestUnanswered; // the lane's thread writes it
    private boolean mayAnnounce = true; // the lane's thread writes it

    public BulkSender(
            ElasticsearchSession session,
            BulkBody body,
            DocumentSettings settings,
            BulkParameters parameters,
            FailureCounts counts) {
        this.session = requireNonNull(session, "session");
        this.body = requireNonNull(body, "body");
        this.settings = requireNonNull(settings, "settings");
        this.parameters = requireNonNull(parameters, "parameters");
        this.counts = requireNonNull(counts, "counts");
    }

    @Override
    public List<Judged> send(List<Document> sent) throws RequestFailure {
        try {
            List<Judged> failed = perform(sent).stream()
                    .map(item -> Judged.of(sent.get(item.position()), item, body))
                    .toList();
            learn(sent, failed);
            return failed;
        } catch (RequestFailure e) {
            switch (e.kind()) {
                case CROWDED -> counts.countRejection();
                case UNANNOUNCED -> mayAnnounce = false;
                case MALFORMED -> requireArrival();
                default -> {}
            }
            throw e;
        }
    }

    private void learn(List<Document> sent, List<Judged> failed) {
        if (failed.stream().anyMatch(each -> each.verdict().kind() == Verdict.Kind.CROWDED)) {
            counts.countRejection();
        }
        if (failed.isEmpty() && withoutPrimary.isEmpty()) {
            return;
        }
        sent.forEach(each -> withoutPrimary.remove(each.destination()));
        failed.stream()
                .filter(each -> each.verdict().kind() == Verdict.Kind.NO_PRIMARY)
                .forEach(each -> withoutPrimary.add(each.document().destination()));
    }

    private boolean isAnyWithoutPrimary(List<Document> documents) {
        return !withoutPrimary.isEmpty()
                && documents.stream().anyMatch(each -> withoutPrimary.contains(each.destination()));
    }

    private List<ItemFailure> perform(List<Document> sent) throws RequestFailure {
        String description = describe(sent);
        Response response = answer(
                new Request(
                        "POST",
                        "/_bulk",
                        parameters.of(isAnyWithoutPrimary(sent), requests++),
                        Optional.of(body.data()),
                        lastRequestUnanswered && mayAnnounce),
                description);
        if (!response.isSuccess()) {
            throw RequestFailure.of(description, response);
        }
        lastRequestUnanswered = false;
        try {
            return BulkResponse.read(response.content(), sent.size(), settings.mayWriteToDataStream());
        } catch (IOException e) {
            throw RequestFailure.of(description, new UnreadableResponseException(e));
        }
    }

    /**
     * Sends a body without a fault, after an error about the content. If it meets such an error, too, no document is at
     * fault: something on the way changes bodies.
     *
     * @throws RequestFailure if it fails
     */
    private void requireArrival() throws RequestFailure {
        String description = "a bulk request without a fault";
        body.probe();
        Response response =
                answer(new Request("POST", "/_bulk", Map.of(), Optional.of(body.data()), false), description);
        if (!response.isSuccess()) {
            RequestFailure e = RequestFailure.of(description, response);
            throw e.kind() == Verdict.Kind.MALFORMED ? ElasticsearchFailures.ofChangedBody(e) : e;
        }
    }

    /** Elasticsearch 9 closes the connection on a body that is too large. If it is asked first, it responds with 413. */
    private Response answer(Request request, String description) throws RequestFailure {
        try {
            return session.perform(request, description);
        } catch (RequestFailure e) {
            lastRequestUnanswered = true;
            throw e;
        }
    }

    private static String describe(List<Document> sent) {
        return "a bulk request of " + sent.size() + " documents";
    }
}
