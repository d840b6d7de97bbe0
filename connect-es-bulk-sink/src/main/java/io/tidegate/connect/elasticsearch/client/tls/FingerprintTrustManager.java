package io.tidegate.connect.elasticsearch.client.tls;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.elasticsearch.settings.TlsSettings;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts servers whose chain leads to the certificate with one fingerprint, which must be part of it. Signatures and dates
 * are verified as with any other authority.
 */
final class FingerprintTrustManager extends X509ExtendedTrustManager {
    private final String fingerprint;

    FingerprintTrustManager(String fingerprint) {
        this.fingerprint = requireNonNull(fingerprint, "fingerprint");
    }

    private X509ExtendedTrustManager trustingPinned(X509Certificate[] chain) throws CertificateException {
        for (X509Certificate certificate : chain) {
            if (Certificates.fingerprint(certificate).equals(fingerprint)) {
                return Trusted.trusting(TlsSettings.SSL_CA_FINGERPRINT, Stores.of(List.of(certificate)));
            }
        }
        throw new CertificateException(
                "none of the certificates that the server presented has that fingerprint; theirs are "
                        + Arrays.stream(chain).map(Certificates::fingerprint).collect(Collectors.joining(", ")));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        trustingPinned(chain).checkServerTrusted(chain, authType, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        trustingPinned(chain).checkServerTrusted(chain, authType, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        trustingPinned(chain).checkServerTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw notAServer();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw notAServer();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw notAServer();
    }

    private static CertificateException notAServer() {
        return new CertificateException("the sink has no clients");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
