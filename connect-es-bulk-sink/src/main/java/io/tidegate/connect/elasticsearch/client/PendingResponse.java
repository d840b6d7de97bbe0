package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A response that has not arrived yet. One thread waits for it; any thread may cancel it. */
public final class PendingResponse {
    private final CompletableFuture<Response> response;
    private final Runnable cancellation;

    /**
     * A pending response.
     *
     * @param cancellation cancels the request, which completes the response
     */
    public PendingResponse(CompletableFuture<Response> response, Runnable cancellation) {
        this.response = requireNonNull(response, "response");
        this.cancellation = requireNonNull(cancellation, "cancellation");
    }

    /**
     * Waits for the response; cancels the request when that takes too long or the thread is interrupted.
     *
     * @throws TransportException when there is none
     */
    public Response await(Duration limit) throws TransportException {
        try {
            return response.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new TransportException(unwrapped(e));
        } catch (CancellationException e) {
            throw new TransportException(e);
        } catch (TimeoutException e) {
            cancel();
            throw new TransportException(new TimeoutException("no answer within " + limit.toMillis() + " ms"));
        } catch (InterruptedException e) {
            cancel();
            Thread.currentThread().interrupt();
            throw new TransportException(e);
        }
    }

    /** Cancels the request; the server may or may not carry it out. */
    public void cancel() {
        cancellation.run();
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
