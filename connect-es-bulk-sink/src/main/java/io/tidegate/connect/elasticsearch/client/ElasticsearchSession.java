package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The requests of one writer, one at a time. The lane's thread makes them. Any thread may cancel the current attempt:
 * its pending request and all later ones.
 */
public final class ElasticsearchSession {
    private final ElasticsearchClient client;
    private final String user;
    private final Duration limit;
    private boolean aborted; // guarded by this
    private Optional<CompletableFuture<Response>> pending = Optional.empty(); // guarded by this

    /** Over a client that no other connector uses. */
    public ElasticsearchSession(ElasticsearchClient client, ConnectionSettings connection) {
        this(client, connection, "");
    }

    /**
     * Over a client that connectors share.
     *
     * @param user the connector that sends the requests
     */
    public ElasticsearchSession(ElasticsearchClient client, ConnectionSettings connection, String user) {
        this.client = requireNonNull(client, "client");
        this.user = requireNonNull(user, "user");
        this.limit = limitOf(connection);
    }

    /** The limit for an attempt from waiting for a connection to the last byte of the response. */
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
        pending.ifPresent(response -> response.cancel(true));
    }

    /** Any thread: whether the current attempt is cancelled. */
    public synchronized boolean isAborted() {
        return aborted;
    }

    /**
     * Sends a request. If the server refuses credentials that a provider gave, asks it for others, and the server once
     * more.
     *
     * @param description names the request in messages
     * @return the response, whatever its status
     * @throws RequestFailure when there is none, or one that cannot be read
     */
    public Response perform(Request request, String description) throws RequestFailure {
        Response response = performOnce(request, description);
        boolean isRefused = response.status() == HttpStatus.UNAUTHORIZED || response.status() == HttpStatus.FORBIDDEN;
        return isRefused && client.forgetCredentials() ? performOnce(request, description) : response;
    }

    /** Sending may wait for a connection and for a credentials provider, so it does not hold the lock. */
    private Response performOnce(Request request, String description) throws RequestFailure {
        CompletableFuture<Response> response = begun(description);
        try {
            client.send(user, request, response);
            return response.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw RequestFailure.of(description, e.getCause());
        } catch (CancellationException e) {
            throw RequestFailure.of(description, e);
        } catch (TimeoutException e) {
            throw RequestFailure.of(description, new TimeoutException("no answer within " + limit.toMillis() + " ms"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RequestFailure.of(description, e);
        } finally {
            ended(response);
        }
    }

    private synchronized CompletableFuture<Response> begun(String description) throws RequestFailure {
        if (aborted) {
            throw RequestFailure.of(description, new CancellationException("the attempt was cancelled"));
        }
        CompletableFuture<Response> response = new CompletableFuture<>();
        pending = Optional.of(response);
        return response;
    }

    /** Cancels the request if nobody waits for its response any longer. */
    private synchronized void ended(CompletableFuture<Response> response) {
        pending = Optional.empty();
        response.cancel(true);
    }
}
