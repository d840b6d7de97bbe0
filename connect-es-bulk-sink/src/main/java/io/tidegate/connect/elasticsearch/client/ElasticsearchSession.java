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
 * The requests of one writer, one at a time. The lane's thread makes them. Any thread may cancel the attempt that they
 * belong to: the pending request and those that would follow it. Only a session finds out which server answers.
 */
public final class ElasticsearchSession {
    private static final Logger log = LoggerFactory.getLogger(ElasticsearchSession.class);

    private static final String WHICH_SERVER = "the question what server this is";

    private final ElasticsearchClient client;
    private final Duration limit;
    private boolean aborted; // guarded by this
    private Optional<PendingResponse> pending = Optional.empty(); // guarded by this

    public ElasticsearchSession(ElasticsearchClient client, ConnectionSettings connection) {
        this.client = requireNonNull(client, "client");
        this.limit = limitOf(connection);
    }

    /** Waiting for a connection and making it; then sending and receiving, where each pause has its own limit. */
    private static Duration limitOf(ConnectionSettings connection) {
        return connection
                .connectTimeout()
                .multipliedBy(2)
                .plus(connection.readTimeout().multipliedBy(2));
    }

    /** Begins an attempt: an earlier cancellation no longer counts. */
    public synchronized void begin() {
        aborted = false;
    }

    /** Any thread: cancels the attempt. */
    public synchronized void abort() {
        aborted = true;
        pending.ifPresent(PendingResponse::cancel);
    }

    /** Any thread: whether the present attempt is cancelled. */
    public synchronized boolean isAborted() {
        return aborted;
    }

    /**
     * Finds out which server answers, once for each client. While the answer tells nothing it is taken for Elasticsearch and
     * asked again with the next request; a wrong password shows with that one.
     */
    public Server server() throws RequestFailure {
        if (client.server().isEmpty()) {
            Response root = perform(client::askForServer, WHICH_SERVER);
            if (HttpStatus.isTemporary(root.status())) {
                throw RequestFailure.of(WHICH_SERVER, root, ServerError.read(root.content()));
            }
            if (client.learn(root)) {
                log.info("Writing to {}", client.server().orElseThrow());
            }
        }
        return client.server().orElse(Server.UNKNOWN);
    }

    /** From now on speaks as the product requires; like {@link #server}, but logs nothing. */
    public void learnLanguage() throws TransportException {
        if (client.server().isEmpty()) {
            client.learn(await(client::askForServer));
        }
    }

    public Response perform(Request request) throws TransportException {
        return await(() -> client.send(request));
    }

    /**
     * Sends a request.
     *
     * @param description names the request in messages
     */
    public Response perform(Request request, String description) throws RequestFailure {
        return perform(() -> client.send(request), description);
    }

    private Response perform(Supplier<PendingResponse> request, String description) throws RequestFailure {
        try {
            return await(request);
        } catch (TransportException e) {
            throw RequestFailure.of(description, e);
        }
    }

    private Response await(Supplier<PendingResponse> request) throws TransportException {
        PendingResponse response = start(request);
        try {
            return response.await(limit);
        } finally {
            end();
        }
    }

    /** Sending may wait for a name's address, so the lock is not held meanwhile. */
    private PendingResponse start(Supplier<PendingResponse> request) throws TransportException {
        if (isAborted()) {
            throw cancelled();
        }
        PendingResponse response = request.get();
        synchronized (this) {
            if (!aborted) {
                pending = Optional.of(response);
                return response;
            }
        }
        response.cancel();
        throw cancelled();
    }

    private static TransportException cancelled() {
        return new TransportException(new CancellationException("the attempt was cancelled"));
    }

    private synchronized void end() {
        pending = Optional.empty();
    }
}
