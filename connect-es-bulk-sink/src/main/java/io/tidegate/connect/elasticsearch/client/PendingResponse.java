package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An answer that is under way. One thread waits for it; any thread may break it off. */
public final class PendingResponse {
    private final CompletableFuture<Response> response;
    private final Runnable cancellation;

    /**
     * An answer under way.
     *
     * @param cancellation breaks off the request, which completes the answer
     */
    public PendingResponse(CompletableFuture<Response> response, Runnable cancellation) {
        this.response = requireNonNull(response, "response");
        this.cancellation = requireNonNull(cancellation, "cancellation");
    }

    /**
     * Waits for the answer; breaks the request off when that takes too long or the thread is interrupted.
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

    /** Breaks the request off; the server may or may not act on it. */
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
