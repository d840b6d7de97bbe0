package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.elasticsearch.settings.FailureClass;
import java.util.Optional;

/**
 * What an error means. {@link ElasticsearchFailures} and {@link ConnectionFailures} give it; everything else only acts on
 * it.
 *
 * @param advice which setting or which thing on the server to change; empty when there is nothing to do
 */
public record Verdict(Kind kind, String advice) {
    public Verdict {
        requireNonNull(kind, "kind");
        requireNonNull(advice, "advice");
    }

    /** Adds the advice to the message, if there is any. */
    public String in(String message) {
        return advice.isEmpty() ? message : message + "; " + advice;
    }

    /** The kinds of errors: of an item of a bulk request, and of a whole request. */
    public enum Kind {
        /** The document exists: an earlier attempt wrote it, or the first one of its id counts. */
        KEPT(Failure.REJECTED),
        /** Nothing is left to do. */
        DONE(Failure.REJECTED),

        /** It passes by itself, or when somebody corrects the server. Only the documents of this index wait. */
        AGAIN(Failure.TRANSIENT),
        /** The server has no room for more at a time. */
        CROWDED(Failure.TRANSIENT),
        /** The server waited for the primary shard of the index until the time limit. */
        NO_PRIMARY(Failure.TRANSIENT),
        /** Neither the server nor a proxy before it answered in time. The server may still work on the request. */
        LATE(Failure.TRANSIENT),
        /** Something on the way accepts no request that is announced before its body is sent. */
        UNANNOUNCED(Failure.TRANSIENT),
        /** All connections of the worker are in use. */
        BUSY(Failure.BUSY),

        MALFORMED(Failure.REJECTED, FailureClass.MALFORMED_DOCUMENT),
        /** The index does not map a field as a vector, which may have been sent as one. */
        NO_VECTOR(Failure.REJECTED, FailureClass.MALFORMED_DOCUMENT),
        /** The request, or the answer to it, is larger than the server, a proxy or the client takes. */
        TOO_LARGE(Failure.TOO_MUCH, FailureClass.MALFORMED_DOCUMENT),
        MISSING(Failure.REJECTED, FailureClass.MISSING_DOCUMENT),
        CONFLICT(Failure.REJECTED, FailureClass.CHANGED_DOCUMENT),
        STALE(Failure.REJECTED, FailureClass.STALE_DOCUMENT),
        /** The index made an id of the document's fields that it has already: of this document, or of another one. */
        TAKEN(Failure.REJECTED, FailureClass.EXISTING_DOCUMENT),
        /** The document is in the failure store of its data stream, where the server counts it as written. */
        FAILURE_STORE(Failure.REJECTED, FailureClass.FAILURE_STORE),

        BLOCKED(Failure.TRANSIENT, FailureClass.BLOCKED_INDEX),
        SERVER_ERROR(Failure.TRANSIENT, FailureClass.SERVER_ERROR),
        /** No index, alias or data stream has the name. */
        NO_INDEX(Failure.FATAL, FailureClass.UNUSABLE_INDEX),
        CLOSED_INDEX(Failure.FATAL, FailureClass.CLOSED_INDEX),
        UNUSABLE_INDEX(Failure.FATAL, FailureClass.UNUSABLE_INDEX),
        NO_PIPELINE(Failure.FATAL, FailureClass.MISSING_PIPELINE),

        /** The server does not know the user, or not yet. */
        UNAUTHORIZED(Failure.FATAL),
        /** The server knows the user, and allows nothing. */
        FORBIDDEN(Failure.FATAL),
        /** Something else answered in place of the server, such as a proxy. */
        ELSEWHERE(Failure.FATAL),
        /** The node cannot prove that it is the server, for example because its certificate is not trusted. */
        UNTRUSTED(Failure.FATAL),
        /** An answer of success that cannot be read. */
        UNREADABLE(Failure.FATAL),
        /** Nothing can be written until a setting is corrected. */
        TASK(Failure.FATAL);

        private final Failure ofRequest;
        private final Optional<FailureClass> failureClass;

        Kind(Failure ofRequest) {
            this(ofRequest, Optional.empty());
        }

        Kind(Failure ofRequest, FailureClass failureClass) {
            this(ofRequest, Optional.of(failureClass));
        }

        Kind(Failure ofRequest, Optional<FailureClass> failureClass) {
            this.ofRequest = ofRequest;
            this.failureClass = failureClass;
        }

        /** What it means for a whole request. */
        public Failure ofRequest() {
            return ofRequest;
        }

        /** The class whose policy decides about a document; empty when the kind says all. */
        public Optional<FailureClass> failureClass() {
            return failureClass;
        }

        /** Whether the way to the server is closed, though the settings may be right: it may open again. */
        public boolean isAccess() {
            return switch (this) {
                case UNAUTHORIZED, FORBIDDEN, ELSEWHERE, UNTRUSTED, UNREADABLE -> true;
                default -> false;
            };
        }
    }
}
