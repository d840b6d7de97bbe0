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

    private final Failure failure;
    private final transient Optional<Duration> retryAfter;

    FailedCall(ElasticsearchFailures.Verdict verdict, String message, Optional<Duration> retryAfter) {
        super(verdict.in(message));
        this.failure = requireNonNull(verdict.failure(), "failure");
        this.retryAfter = requireNonNull(retryAfter, "retryAfter");
    }

    /** An answer other than success. */
    static FailedCall of(String request, Answer answer, ServerError error) {
        return new FailedCall(
                ElasticsearchFailures.ofRequest(answer.status(), error),
                request + " was answered with " + answer.status() + " " + error,
                answer.retryAfter());
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

    Failure failure() {
        return failure;
    }

    Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
