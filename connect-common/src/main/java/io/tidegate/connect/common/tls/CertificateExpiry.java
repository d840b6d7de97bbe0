package io.tidegate.connect.common.tls;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** When the certificates that are in use end: those that servers present, and the sink's own. Any thread. */
public final class CertificateExpiry {
    /** A cluster has fewer nodes. */
    private static final int MOST = 1_000;

    /**
     * A certificate that was not presented for so long, while others were, is no longer in use. Until a day has passed, a
     * TLS session may be resumed without it ({@code SSLSessionContext.getSessionTimeout}).
     */
    static final Duration IN_USE = Duration.ofDays(2);

    private static final double HOURS_OF_A_DAY = 24;

    private final Map<String, Use> ofServers = new LinkedHashMap<>(); // those last seen at its end; guarded by this
    private List<X509Certificate> own = List.of(); // guarded by this

    private record Use(Instant end, Instant seen) {}

    /** The sink's own certificates are now these. */
    synchronized void own(List<X509Certificate> certificates) {
        own = List.copyOf(certificates);
    }

    /** A server presents these. Different certificates may have one subject, or none. */
    synchronized void seen(List<X509Certificate> certificates, Instant now) {
        for (X509Certificate certificate : certificates) {
            String name = certificate.getSerialNumber() + " "
                    + certificate.getIssuerX500Principal().getName();
            ofServers.remove(name);
            ofServers.put(name, new Use(certificate.getNotAfter().toInstant(), now));
        }
        ofServers.values().removeIf(use -> use.seen().isBefore(now.minus(IN_USE)));
        while (ofServers.size() > MOST) {
            ofServers.remove(ofServers.keySet().iterator().next());
        }
    }

    /** Days until the first of them ends, less than 0 when it has; empty when none has been seen, as over plain HTTP. */
    public synchronized OptionalDouble daysLeft(Instant now) {
        return Stream.concat(
                        ofServers.values().stream().map(Use::end),
                        own.stream()
                                .map(certificate -> certificate.getNotAfter().toInstant()))
                .mapToDouble(end -> Duration.between(now, end).toHours() / HOURS_OF_A_DAY)
                .min();
    }
}
