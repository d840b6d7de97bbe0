package io.tidegate.connect.elasticsearch;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.elasticsearch.bulk.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.bulk.ServerError;
import io.tidegate.connect.elasticsearch.client.Answer;
import io.tidegate.connect.elasticsearch.client.Call;
import io.tidegate.connect.elasticsearch.client.CallException;
import java.time.Duration;
import java.util.Optional;

/** A request that the server did not carry out, and what that means. */
final class FailedCall extends Exception {
    private static final long serialVersionUID = 1L;

    private static final int UNAUTHORIZED = 401;
    private static final int TOO_LARGE = 413;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int NO_ANSWER = 0;

    private final Failure failure;
    private final int status;
    private final transient Optional<Duration> retryAfter;

    FailedCall(ElasticsearchFailures.Verdict verdict, String message, Optional<Duration> retryAfter) {
        this(verdict, message, retryAfter, NO_ANSWER);
    }

    private FailedCall(
            ElasticsearchFailures.Verdict verdict, String message, Optional<Duration> retryAfter, int status) {
        super(verdict.in(message));
        this.status = status;
        this.failure = requireNonNull(verdict.failure(), "failure");
        this.retryAfter = requireNonNull(retryAfter, "retryAfter");
    }

    /** An answer other than success. */
    static FailedCall of(String request, Answer answer, ServerError error) {
        return new FailedCall(
                ElasticsearchFailures.ofRequest(answer.status(), error),
                request + " was answered with " + answer.status() + " " + error,
                answer.retryAfter(),
                answer.status());
    }

    /** No answer. */
    static FailedCall of(String request, CallException e) {
        FailedCall failed = new FailedCall(
                ElasticsearchFailures.ofConnection(e.getCause()),
                request + " got no answer: " + ElasticsearchFailures.describe(e.getCause()),
                Optional.empty());
        failed.initCause(e.getCause());
        return failed;
    }

    /** Sends a request that is named like this in messages. */
    static Answer perform(Call call, String request, AbortableCalls calls) throws FailedCall {
        try {
            return calls.perform(call);
        } catch (CallException e) {
            throw of(request, e);
        }
    }

    /** Finds out what answers, before anything else is asked of it. */
    static void learnServer(AbortableCalls calls) throws FailedCall {
        try {
            calls.server();
        } catch (CallException e) {
            throw of("the question what server this is", e);
        }
    }

    /** Whether the server has too many requests in hand. */
    boolean isForLackOfRoom() {
        return status == TOO_MANY_REQUESTS;
    }

    /** Whether the server does not accept the credentials. */
    boolean isUnauthorized() {
        return status == UNAUTHORIZED;
    }

    /** The same failure as one that time may heal. */
    FailedCall toBeRepeated(String advice) {
        return new FailedCall(
                new ElasticsearchFailures.Verdict(Failure.TRANSIENT, advice), getMessage(), retryAfter, status);
    }

    boolean isTooLarge() {
        return status == TOO_LARGE;
    }

    Failure failure() {
        return failure;
    }

    Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
