package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of one writer, one at a time. The lane's thread makes them, any thread may break off the attempt that
 * they belong to: the request under way, and those that would follow it.
 */
public final class ElasticsearchSession {
    private static final Logger log = LoggerFactory.getLogger(ElasticsearchSession.class);

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERRORS = 500;

    private final ElasticsearchClient client;
    private final Duration limit;
    private boolean aborted; // guarded by this
    private Optional<PendingResponse> underWay = Optional.empty(); // guarded by this

    public ElasticsearchSession(ElasticsearchClient client, ConnectionSettings connection) {
        this.client = requireNonNull(client, "client");
        this.limit = limitOf(connection);
    }

    /** Waiting for a connection and making it; then sending and receiving, where each pause is bounded by itself. */
    private static Duration limitOf(ConnectionSettings connection) {
        return connection
                .connectTimeout()
                .multipliedBy(2)
                .plus(connection.readTimeout().multipliedBy(2));
    }

    /** Begins an attempt: what was broken off before does not count any more. */
    public synchronized void begin() {
        aborted = false;
    }

    /** Any thread: breaks off the attempt. */
    public synchronized void abort() {
        aborted = true;
        underWay.ifPresent(PendingResponse::cancel);
    }

    /** Any thread: whether the present attempt is broken off. */
    public synchronized boolean isAborted() {
        return aborted;
    }

    /**
     * Finds out what answers, once for each client. A user who may not ask is served as by Elasticsearch; a wrong password
     * shows with the next request.
     */
    public Server server() throws TransportException, RequestFailure {
        if (client.server().isEmpty()) {
            Response root = await(client::askForServer);
            if (root.status() >= SERVER_ERRORS || root.status() == TOO_MANY_REQUESTS) {
                throw RequestFailure.of("the question what server this is", root, ServerError.read(root.content()));
            }
            if (client.learn(root)) {
                log.info("Writing to {}", client.server().orElseThrow());
            }
        }
        return client.server().orElseThrow();
    }

    /** Speaks from now on as the server understands, whichever product it is; {@link #server} without a word about it. */
    public void learnLanguage() throws TransportException {
        client.learn(await(client::askForServer));
    }

    public Response perform(Request call) throws TransportException {
        return await(() -> client.send(call));
    }

    private Response await(Supplier<PendingResponse> request) throws TransportException {
        PendingResponse answer = start(request);
        try {
            return answer.await(limit);
        } finally {
            end();
        }
    }

    private synchronized PendingResponse start(Supplier<PendingResponse> request) throws TransportException {
        if (aborted) {
            throw new TransportException(new CancellationException("the attempt was broken off"));
        }
        PendingResponse answer = request.get();
        underWay = Optional.of(answer);
        return answer;
    }

    private synchronized void end() {
        underWay = Optional.empty();
    }
}
