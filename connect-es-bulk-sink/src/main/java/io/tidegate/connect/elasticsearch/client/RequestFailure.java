package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.Failure;
import java.time.Duration;
import java.util.Optional;

/** A request that the server did not carry out, and what that means. */
public final class RequestFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private static final int UNAUTHORIZED = 401;
    private static final int TOO_LARGE = 413;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int NO_ANSWER = 0;

    private final Failure failure;
    private final int status;
    private final transient Optional<Duration> retryAfter;

    public RequestFailure(ElasticsearchFailures.Verdict verdict, String message, Optional<Duration> retryAfter) {
        this(verdict, message, retryAfter, NO_ANSWER);
    }

    private RequestFailure(
            ElasticsearchFailures.Verdict verdict, String message, Optional<Duration> retryAfter, int status) {
        super(verdict.in(message));
        this.status = status;
        this.failure = requireNonNull(verdict.failure(), "failure");
        this.retryAfter = requireNonNull(retryAfter, "retryAfter");
    }

    /** An answer other than success. */
    public static RequestFailure of(String request, Response answer, ServerError error) {
        return new RequestFailure(
                ElasticsearchFailures.ofRequest(answer.status(), error),
                request + " was answered with " + answer.status() + " " + error,
                answer.retryAfter(),
                answer.status());
    }

    /** No answer. */
    public static RequestFailure of(String request, TransportException e) {
        RequestFailure failed = new RequestFailure(
                ElasticsearchFailures.ofConnection(e.getCause()),
                request + " got no answer: " + ElasticsearchFailures.describe(e.getCause()),
                Optional.empty());
        failed.initCause(e.getCause());
        return failed;
    }

    /** Sends a request that is named like this in messages. */
    public static Response perform(Request call, String request, ElasticsearchSession calls) throws RequestFailure {
        try {
            return calls.perform(call);
        } catch (TransportException e) {
            throw of(request, e);
        }
    }

    /** Finds out what answers, before anything else is asked of it. */
    public static void learnServer(ElasticsearchSession calls) throws RequestFailure {
        try {
            calls.server();
        } catch (TransportException e) {
            throw of("the question what server this is", e);
        }
    }

    /** Whether the server has too many requests in hand. */
    public boolean isForLackOfRoom() {
        return status == TOO_MANY_REQUESTS;
    }

    /** Whether the server does not accept the credentials. */
    public boolean isUnauthorized() {
        return status == UNAUTHORIZED;
    }

    /** The same failure as one that time may heal. */
    public RequestFailure toBeRepeated(String advice) {
        return new RequestFailure(
                new ElasticsearchFailures.Verdict(Failure.TRANSIENT, advice), getMessage(), retryAfter, status);
    }

    public boolean isTooLarge() {
        return status == TOO_LARGE;
    }

    public Failure failure() {
        return failure;
    }

    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
