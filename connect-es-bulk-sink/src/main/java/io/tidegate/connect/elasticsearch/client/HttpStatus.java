package io.tidegate.connect.elasticsearch.client;

/**
 * The HTTP statuses that the sink distinguishes (RFC 9110, 15; RFC 6585, 4). {@link ElasticsearchFailures} says what
 * they mean for a batch.
 */
public final class HttpStatus {
    public static final int OK = 200;
    public static final int BAD_REQUEST = 400;
    public static final int UNAUTHORIZED = 401;
    public static final int FORBIDDEN = 403;
    public static final int NOT_FOUND = 404;
    public static final int PROXY_AUTHENTICATION_REQUIRED = 407;
    public static final int REQUEST_TIMEOUT = 408;
    public static final int CONFLICT = 409;
    public static final int CONTENT_TOO_LARGE = 413;
    public static final int EXPECTATION_FAILED = 417;
    public static final int TOO_MANY_REQUESTS = 429;
    public static final int INTERNAL_SERVER_ERROR = 500;
    public static final int BAD_GATEWAY = 502;
    public static final int GATEWAY_TIMEOUT = 504;

    static final int LAST_SUCCESS = 299;
    static final int LAST_CLIENT_ERROR = 499;
    static final int LAST_SERVER_ERROR = 599;

    private HttpStatus() {}

    static boolean isSuccess(int status) {
        return status >= OK && status <= LAST_SUCCESS;
    }

    /** Whether something before the server sends requests elsewhere. */
    public static boolean isRedirection(int status) {
        return status > LAST_SUCCESS && status < BAD_REQUEST;
    }

    /** Whether the node did not answer itself, or not yet: then the REST client leaves it out. */
    public static boolean isOfGateway(int status) {
        return status >= BAD_GATEWAY && status <= GATEWAY_TIMEOUT;
    }

    /** Whether the same request may succeed later: it came too slowly, or the server is overloaded or not ready. */
    public static boolean isTemporary(int status) {
        return status == REQUEST_TIMEOUT || status == TOO_MANY_REQUESTS || status >= INTERNAL_SERVER_ERROR;
    }
}
