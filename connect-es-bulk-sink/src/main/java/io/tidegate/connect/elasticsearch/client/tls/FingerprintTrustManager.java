package io.tidegate.connect.elasticsearch.client.tls;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.elasticsearch.settings.TlsSettings;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Trusts servers whose chain leads to the certificate with one fingerprint, which must be part of it. Signatures and dates
 * are verified as with any other authority.
 */
final class FingerprintTrustManager extends ServerTrustManager {
    private final String fingerprint;

    FingerprintTrustManager(String fingerprint) {
        this.fingerprint = requireNonNull(fingerprint, "fingerprint");
    }

    @Override
    void check(X509Certificate[] chain, Check check) throws CertificateException {
        for (X509Certificate certificate : chain) {
            if (Certificates.fingerprint(certificate).equals(fingerprint)) {
                check.by(Trusted.trusting(TlsSettings.SSL_CA_FINGERPRINT, Stores.of(List.of(certificate))));
                return;
            }
        }
        throw new CertificateException(
                "none of the certificates that the server presented has that fingerprint; theirs are "
                        + Arrays.stream(chain).map(Certificates::fingerprint).collect(Collectors.joining(", ")));
    }
}
