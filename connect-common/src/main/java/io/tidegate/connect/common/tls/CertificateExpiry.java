package io.tidegate.connect.common.tls;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;

/** When the certificates that are in use end: those that servers have presented, and the sink's own. Any thread. */
public final class CertificateExpiry {
    /** A cluster has fewer nodes; who presents ever new names is not remembered for ever. */
    private static final int MAX_NAMES = 1_000;

    private static final double HOURS_OF_A_DAY = 24;

    private final Map<String, Instant> endsByName = new ConcurrentHashMap<>();

    /** Certificates are in use; a later one of the same name takes the place of an earlier one. */
    void seen(List<X509Certificate> certificates) {
        if (endsByName.size() > MAX_NAMES) {
            endsByName.clear();
        }
        for (X509Certificate certificate : certificates) {
            endsByName.put(
                    certificate.getSubjectX500Principal().getName(),
                    certificate.getNotAfter().toInstant());
        }
    }

    /** Days until the first of them ends, less than 0 when it has; empty when none has been seen, as over plain HTTP. */
    public OptionalDouble daysLeft(Instant now) {
        return endsByName.values().stream()
                .mapToDouble(end -> Duration.between(now, end).toHours() / HOURS_OF_A_DAY)
                .min();
    }
}
