package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures.Asked;
import io.tidegate.connect.elasticsearch.settings.ElasticsearchErrorCodes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A request that the server did not carry out, and what the failure means. */
public final class RequestFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final Verdict.Kind kind;
    private final Failure failure;
    private final transient List<String> codes;
    private final boolean own;
    private final transient Optional<Duration> retryAfter;

    private RequestFailure(
            Verdict verdict,
            Failure failure,
            String message,
            List<String> codes,
            boolean own,
            Optional<Duration> retryAfter,
            Throwable cause) {
        super(verdict.in(message), cause);
        this.kind = verdict.kind();
        this.failure = requireNonNull(failure, "failure");
        this.codes = List.copyOf(codes);
        this.own = own;
        this.retryAfter = requireNonNull(retryAfter, "retryAfter");
    }

    /** The failure of a request with a response without success, which it reads. */
    public static RequestFailure of(String description, Response response) {
        return of(Asked.REQUEST, description, response);
    }

    /** The failure of a request with a response without success, by what was asked for. */
    public static RequestFailure of(Asked asked, String description, Response response) {
        ServerError error = ServerError.read(response.content());
        boolean own = response.fromElasticsearch() || !error.type().isEmpty();
        Verdict verdict = ElasticsearchFailures.ofRequest(asked, response.status(), error, own);
        return new RequestFailure(
                verdict,
                verdict.kind().ofRequest(),
                description + " was answered with " + response.status() + " " + error,
                ElasticsearchErrorCodes.of(error.type(), response.status()),
                own,
                response.retryAfter(),
                null);
    }

    /** The failure that an answer of success shows. */
    static RequestFailure of(Verdict verdict, String message) {
        return new RequestFailure(
                verdict,
                verdict.kind().ofRequest(),
                message,
                ElasticsearchErrorCodes.of("", HttpStatus.OK),
                true,
                Optional.empty(),
                null);
    }

    /** The failure of a request without a response that can be read. */
    public static RequestFailure of(String description, Throwable cause) {
        Verdict verdict = ConnectionFailures.of(cause);
        return new RequestFailure(
                verdict,
                verdict.kind().ofRequest(),
                description + " got no answer: " + ConnectionFailures.describe(cause),
                List.of(),
                false,
                Optional.empty(),
                cause);
    }

    /** The same failure with another meaning. */
    public RequestFailure as(Failure other, String advice) {
        return as(new Verdict(kind, advice), other);
    }

    /** The same failure of another kind. */
    public RequestFailure as(Verdict.Kind other) {
        return as(new Verdict(other, ""), other.ofRequest());
    }

    private RequestFailure as(Verdict verdict, Failure other) {
        return new RequestFailure(verdict, other, getMessage(), codes, own, retryAfter, getCause());
    }

    /** Whether the server knows the user and does not allow this request. */
    public boolean isForbidden() {
        return own && codes.contains(Integer.toString(HttpStatus.FORBIDDEN));
    }

    /** The codes of the server's answer, the most specific one first; empty if it gave none. */
    public List<String> codes() {
        return codes;
    }

    /** Whether this is the server's own answer, not a proxy's. */
    public boolean isOfServer() {
        return own;
    }

    /** What the answer says. */
    public Verdict.Kind kind() {
        return kind;
    }

    /** What that means for the documents of the request. */
    public Failure failure() {
        return failure;
    }

    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
