package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.elasticsearch.settings.ElasticsearchErrorCodes;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** A request that the server did not carry out, and what the failure means. */
public final class RequestFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private static final int NO_RESPONSE = 0;

    private final Failure failure;
    private final int status;
    private final String type;
    private final boolean refusesToken;
    private final boolean foreign;
    private final transient Optional<Duration> retryAfter;

    public RequestFailure(
            ElasticsearchFailures.Classification classification, String message, Optional<Duration> retryAfter) {
        this(classification, message, retryAfter, NO_RESPONSE, "", false, false);
    }

    private RequestFailure(
            ElasticsearchFailures.Classification classification,
            String message,
            Optional<Duration> retryAfter,
            int status,
            String type,
            boolean refusesToken,
            boolean foreign) {
        super(classification.in(message));
        this.status = status;
        this.type = requireNonNull(type, "type");
        this.refusesToken = refusesToken;
        this.foreign = foreign;
        this.failure = requireNonNull(classification.failure(), "failure");
        this.retryAfter = requireNonNull(retryAfter, "retryAfter");
    }

    /** The failure of a request with a response. */
    public static RequestFailure of(String description, Response response, ServerError error) {
        return new RequestFailure(
                ElasticsearchFailures.ofRequest(response.status(), error),
                description + " was answered with " + response.status() + " " + error,
                response.retryAfter(),
                response.status(),
                error.type(),
                ElasticsearchFailures.refusesToken(response.status(), error),
                !response.fromElasticsearch() && error.type().isEmpty());
    }

    /** The failure of a request without a response. */
    public static RequestFailure of(String description, TransportException e) {
        ElasticsearchFailures.Classification classification = ConnectionFailures.of(e.getCause());
        RequestFailure failed = new RequestFailure(
                classification,
                description + " got no answer: " + ConnectionFailures.describe(e.getCause()),
                Optional.empty(),
                NO_RESPONSE,
                "",
                false,
                classification.failure() == Failure.FATAL
                        && e.getCause() instanceof IOException
                        && !(e.getCause() instanceof UnreadableResponseException));
        failed.initCause(e.getCause());
        return failed;
    }

    /** Whether the server is overloaded. */
    public boolean isForLackOfRoom() {
        return status == HttpStatus.TOO_MANY_REQUESTS;
    }

    /** Whether the server does not accept the credentials. */
    public boolean isUnauthorized() {
        return status == HttpStatus.UNAUTHORIZED || refusesToken;
    }

    /** Whether new credentials or another URL or certificate authority might be accepted. */
    public boolean isAccessRefused() {
        return isUnauthorized() || status == HttpStatus.FORBIDDEN || status == NO_RESPONSE;
    }

    /**
     * Whether the path to the server is blocked: the response is not the server's own, or the node cannot prove that it
     * is the server, for example because its certificate is not trusted.
     */
    public boolean isForeignRefusal() {
        return foreign
                && (status == NO_RESPONSE
                        || status == HttpStatus.FORBIDDEN
                        || status == HttpStatus.NOT_FOUND
                        || status == HttpStatus.PROXY_AUTHENTICATION_REQUIRED
                        || HttpStatus.isRedirection(status));
    }

    /** Whether the node cannot prove that it is the server, for example because its certificate is not trusted. */
    public boolean isForeignNode() {
        return foreign && status == NO_RESPONSE;
    }

    /** The same failure as a temporary one. */
    public RequestFailure toBeRepeated(String advice) {
        return as(Failure.TRANSIENT, advice);
    }

    /** The same failure with another meaning. */
    public RequestFailure as(Failure other, String advice) {
        return new RequestFailure(
                new ElasticsearchFailures.Classification(other, advice),
                getMessage(),
                retryAfter,
                status,
                type,
                refusesToken,
                foreign);
    }

    /** The codes of the server's answer, the most specific one first; empty if it gave none. */
    public List<String> codes() {
        return status == NO_RESPONSE ? List.of() : ElasticsearchErrorCodes.of(type, status);
    }

    /** Whether this is the server's own answer, not a proxy's. */
    public boolean isOfServer() {
        return status != NO_RESPONSE && !foreign;
    }

    /** Whether the server, or a proxy before it, did not answer in time. The server may still work on the request. */
    public boolean isLate() {
        return status == HttpStatus.REQUEST_TIMEOUT
                || (status >= HttpStatus.BAD_GATEWAY && status <= HttpStatus.GATEWAY_TIMEOUT)
                || getCause() instanceof SocketTimeoutException
                || getCause() instanceof TimeoutException;
    }

    public boolean isTooLarge() {
        return status == HttpStatus.CONTENT_TOO_LARGE;
    }

    public Failure failure() {
        return failure;
    }

    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
