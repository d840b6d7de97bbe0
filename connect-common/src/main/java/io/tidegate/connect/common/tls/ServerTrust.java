package io.tidegate.connect.common.tls;

import static java.util.Objects.requireNonNull;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.X509TrustManager;

/**
 * Trusts the servers that the files say now. A refusal says what the server presented and what is trusted. The JDK checks
 * the host name afterwards if the client asks for that. Any thread.
 */
final class ServerTrust implements X509TrustManager {
    private final Supplier<Trusted> trusted;
    private final CertificateExpiry expiry;

    /**
     * A trust manager.
     *
     * @param trusted who is trusted, asked for each handshake
     * @param expiry is told of certificates that are trusted
     */
    ServerTrust(Supplier<Trusted> trusted, CertificateExpiry expiry) {
        this.trusted = requireNonNull(trusted, "trusted");
        this.expiry = requireNonNull(expiry, "expiry");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        Trusted now = trusted.get();
        try {
            now.rule().check(chain, authType);
        } catch (CertificateException e) {
            throw new CertificateException(
                    "the server presented " + Certificates.describe(chain[0]) + "; trusted are " + now.description()
                            + " (" + e.getMessage() + ")",
                    e);
        }
        expiry.seen(List.of(chain), Instant.now());
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("the sink has no clients");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trusted.get().authorities().toArray(X509Certificate[]::new);
    }
}
