package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.bulk.BulkResponse;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.client.ServerError;
import io.tidegate.connect.elasticsearch.client.TransportException;
import io.tidegate.connect.elasticsearch.client.UnreadableResponseException;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sends the body of a writer as one bulk request, within the limits of the task, and tells the limiter how the server
 * took it. A lane's thread uses it.
 */
final class BulkSender {
    private final ElasticsearchSession session;
    private final BulkBody body;
    private final DocumentSettings settings;
    private final BulkParameters parameters;
    private final AdaptiveLimiter limiter;
    private final Clock clock;
    private final DestinationFaults faults = new DestinationFaults();
    private int requests = ThreadLocalRandom.current().nextInt(); // so that lanes do not select the same shards
    private int unreadableResponses; // in a row; the lane's thread writes it
    private boolean lastRequestUnanswered; // the lane's thread writes it

    BulkSender(
            ElasticsearchSession session,
            BulkBody body,
            DocumentSettings settings,
            BulkParameters parameters,
            AdaptiveLimiter limiter,
            Clock clock) {
        this.session = requireNonNull(session, "session");
        this.body = requireNonNull(body, "body");
        this.settings = requireNonNull(settings, "settings");
        this.parameters = requireNonNull(parameters, "parameters");
        this.limiter = requireNonNull(limiter, "limiter");
        this.clock = requireNonNull(clock, "clock");
    }

    /** Waits until the limiter admits the request, sends it, and reports the result to the limiter. */
    BulkResponse send(List<Document> sent) throws RequestFailure {
        int rows = sent.size();
        try {
            limiter.begin(session::isAborted);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RequestFailure.of("a bulk request of " + rows + " documents", new TransportException(e));
        } catch (CancellationException e) {
            throw RequestFailure.of("a bulk request of " + rows + " documents", new TransportException(e));
        }
        long begin = clock.nanoTime();
        try {
            BulkResponse response = perform(sent);
            pace(sent, response, Duration.ofNanos(clock.nanoTime() - begin));
            return response;
        } catch (RequestFailure e) {
            Duration took = Duration.ofNanos(clock.nanoTime() - begin);
            if (e.isForLackOfRoom()) {
                limiter.rejected(rows, took);
            } else if (e.isTooLarge() && rows > 1) {
                limiter.tooLarge(body.length());
            } else if (e.isLate()) {
                limiter.unanswered(rows, took);
            }
            throw e;
        } finally {
            limiter.end();
        }
    }

    private void pace(List<Document> sent, BulkResponse response, Duration took) {
        switch (faults.learn(sent, response.failures())) {
            case ENOUGH -> limiter.succeeded(sent.size(), took);
            case NOT_EVERYWHERE -> limiter.rejectedElsewhere();
            case NONE -> limiter.rejectedInPart(sent.size(), took);
        }
    }

    private BulkResponse perform(List<Document> sent) throws RequestFailure {
        String description = "a bulk request of " + sent.size() + " documents";
        try {
            Response response = session.perform(new Request(
                    "POST",
                    "/_bulk",
                    parameters.of(session.server().product(), faults.isWithoutPrimary(sent), requests++),
                    Optional.of(body.data()),
                    body.isCompressed(),
                    lastRequestUnanswered));
            if (!response.isSuccess()) {
                throw RequestFailure.of(description, response, ServerError.read(response.content()));
            }
            lastRequestUnanswered = false;
            BulkResponse read = BulkResponse.read(response.content(), sent.size(), settings.mayWriteToDataStream());
            unreadableResponses = 0;
            return read;
        } catch (TransportException e) {
            // Elasticsearch 9 closes the connection on a body that is too large. If it is asked first, it responds with
            // 413.
            lastRequestUnanswered = true;
            throw RequestFailure.of(description, e);
        } catch (IOException e) {
            unreadableResponses++;
            RequestFailure unreadable =
                    RequestFailure.of(description, new TransportException(new UnreadableResponseException(e)));
            throw unreadableResponses < ElasticsearchFailures.HOPELESS_ATTEMPTS
                    ? unreadable.toBeRepeated("after " + ElasticsearchFailures.HOPELESS_ATTEMPTS
                            + " such answers in a row the task fails")
                    : unreadable;
        }
    }
}
