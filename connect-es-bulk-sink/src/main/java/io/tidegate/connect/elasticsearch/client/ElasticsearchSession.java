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
 * The requests of one writer, one at a time. The lane's thread makes them. Any thread may cancel the current attempt:
 * its pending request and all later ones. Only a session finds out which server responds.
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

    /**
     * The limit for waiting for a connection and opening it. Sending and receiving follow, where each pause has its own
     * limit.
     */
    private static Duration limitOf(ConnectionSettings connection) {
        return connection
                .connectTimeout()
                .multipliedBy(2)
                .plus(connection.readTimeout().multipliedBy(2));
    }

    /** Begins an attempt. An earlier cancellation no longer counts. */
    public synchronized void begin() {
        aborted = false;
    }

    /** Any thread: cancels the attempt. */
    public synchronized void abort() {
        aborted = true;
        pending.ifPresent(PendingResponse::cancel);
    }

    /** Any thread: whether the current attempt is cancelled. */
    public synchronized boolean isAborted() {
        return aborted;
    }

    /**
     * Finds out which server responds, once for each client. While the response does not tell, the server is taken for
     * Elasticsearch and asked again with the next request. But a server that accepts no credentials gets no other request,
     * because OpenSearch would refuse one in Elasticsearch's language for that reason.
     */
    public Server server() throws RequestFailure {
        if (client.server().isEmpty()) {
            Response root = perform(client::askForServer, WHICH_SERVER);
            if (HttpStatus.isTemporary(root.status()) || root.status() == HttpStatus.UNAUTHORIZED) {
                throw RequestFailure.of(WHICH_SERVER, root, ServerError.read(root.content()));
            }
            if (client.learn(root)) {
                log.info("Writing to {}", client.server().orElseThrow());
            }
        }
        return client.server().orElse(Server.UNKNOWN);
    }

    /** Finds out the product and uses its language from now on. Unlike {@link #server}, it logs nothing. */
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

    /** If the server refuses credentials that a provider gave, asks it for others, and the server once more. */
    private Response await(Supplier<PendingResponse> request) throws TransportException {
        Response response = awaitOnce(request);
        boolean isRefused = response.status() == HttpStatus.UNAUTHORIZED || response.status() == HttpStatus.FORBIDDEN;
        return isRefused && client.forgetCredentials() ? awaitOnce(request) : response;
    }

    private Response awaitOnce(Supplier<PendingResponse> request) throws TransportException {
        PendingResponse response = start(request);
        try {
            return response.await(limit);
        } finally {
            end();
        }
    }

    /** Sending may wait for the address of a host name, so it does not hold the lock. */
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
