package io.tidegate.connect.elasticsearch.client;

import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.AGAIN;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.BUSY;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.LATE;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.TASK;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.TOO_LARGE;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.UNREADABLE;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.UNTRUSTED;

import io.tidegate.connect.common.credentials.CredentialsException;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.http.ConnectionClosedException;
import org.apache.http.ContentTooLongException;
import org.apache.http.HttpException;
import org.apache.http.conn.ConnectionPoolTimeoutException;

/**
 * What a request without an answer means to the pipeline: the network, TLS and the HTTP client. The first matching row
 * decides.
 */
public final class ConnectionFailures {
    private record Fault(Predicate<Throwable> fits, Verdict verdict) {
        Fault(Predicate<Throwable> fits, Verdict.Kind kind, String advice) {
            this(fits, new Verdict(kind, advice));
        }

        Fault(Class<? extends Throwable> type, Verdict.Kind kind, String advice) {
            this(type::isInstance, kind, advice);
        }
    }

    private static final List<Fault> FAULTS = List.of(
            // First: its cause is about what the provider asks, and not about this server.
            new Fault(CredentialsException.class, AGAIN, "the provider is asked again"),
            new Fault(
                    failure -> causedBy(failure, CertificateException.class).isPresent(),
                    UNTRUSTED,
                    "set ssl.ca or ssl.ca.fingerprint to the authority that issued the server's certificate, unless that certificate"
                            + " has expired"),
            new Fault(
                    SSLPeerUnverifiedException.class,
                    UNTRUSTED,
                    "use a name in connection.url that the certificate holds, or set ssl.verification.mode=certificate"),
            new Fault(
                    ConnectionFailures::isNotTls,
                    UNTRUSTED,
                    "the server seems to speak plain HTTP: use http:// in connection.url, or turn on TLS on the server"),
            new Fault(
                    ConnectionFailures::isForLackOfACertificate,
                    UNTRUSTED,
                    "the server asks its clients for a certificate: set ssl.certificate and ssl.key, or"
                            + " ssl.keystore.location, to one that it trusts"),
            new Fault(
                    failure -> failure instanceof SSLHandshakeException
                            && causedBy(failure, EOFException.class).isEmpty(),
                    UNTRUSTED,
                    "check ssl.ca, ssl.verification.mode and what the server demands of its clients"),
            new Fault(
                    UnreadableResponseException.class,
                    UNREADABLE,
                    "check connection.url, and what stands between the sink and the server: the answer says success and"
                            + " cannot be read"),
            new Fault(
                    HttpException.class,
                    UNREADABLE,
                    "check connection.url, and what stands between the sink and the server: the answer is no HTTP that can"
                            + " be read"),
            new Fault(ContentTooLongException.class, TOO_LARGE, "lower batch.size"),
            new Fault(
                    ConnectionPoolTimeoutException.class,
                    BUSY,
                    "if this goes on, raise connection.pool.max.size to max.in.flight.requests for each task of a worker"),
            new Fault(
                    ConnectionClosedException.class,
                    AGAIN,
                    "if this goes on and the server speaks TLS, use https:// in connection.url"),
            new Fault(SocketTimeoutException.class, LATE, ""),
            new Fault(TimeoutException.class, LATE, "if this goes on, raise read.timeout.ms or lower batch.size"),
            new Fault(IOException.class, AGAIN, ""),
            new Fault(CancellationException.class, AGAIN, ""),
            new Fault(InterruptedException.class, AGAIN, ""));

    private static final Verdict UNKNOWN_FAULT = new Verdict(TASK, "restart the connector and report this");

    private ConnectionFailures() {}

    /** What a request without a response means. */
    public static Verdict of(Throwable failure) {
        return FAULTS.stream()
                .filter(row -> row.fits().test(failure))
                .map(Fault::verdict)
                .findFirst()
                .orElse(UNKNOWN_FAULT);
    }

    /** Describes the failure: the problem with a certificate rather than a failed handshake. */
    public static String describe(Throwable failure) {
        Throwable telling = failure instanceof CredentialsException
                ? failure
                : causedBy(failure, CertificateException.class)
                        .<Throwable>map(certificate -> certificate)
                        .orElse(failure);
        String message = telling.getMessage();
        return message == null || message.isEmpty()
                ? telling.getClass().getSimpleName()
                : telling.getClass().getSimpleName() + ": " + message;
    }

    /** Recognised by the alerts of RFC 8446 (6.2) and RFC 5246 (7.2.2), which the JDK gives only in its message. */
    private static boolean isForLackOfACertificate(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return failure instanceof SSLException
                && (message.contains("bad_certificate") || message.contains("certificate_required"));
    }

    /** The JDK has no other sign of a response that is not TLS. Sockets and engines word it differently. */
    private static boolean isNotTls(Throwable failure) {
        return failure instanceof SSLException
                && failure.getMessage() != null
                && failure.getMessage().toLowerCase(Locale.ROOT).contains("unrecognized ssl message");
    }

    private static <T extends Throwable> Optional<T> causedBy(Throwable failure, Class<T> type) {
        Optional<T> found = Optional.empty();
        for (Throwable cause = failure; cause != null && found.isEmpty(); cause = cause.getCause()) {
            found = type.isInstance(cause) ? Optional.of(type.cast(cause)) : Optional.empty();
        }
        return found;
    }
}
