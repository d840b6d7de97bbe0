package io.tidegate.connect.elasticsearch.client.tls;

import static java.util.Objects.requireNonNull;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts what another trusts, but says in a refusal what the server presented and what is trusted. */
final class ExplainingTrustManager extends X509ExtendedTrustManager {
    private final Supplier<Trusted> trusted;
    private final CertificateExpiry expiry;

    /**
     * A trust manager in front of another.
     *
     * @param trusted who is trusted, asked for each handshake
     * @param expiry is told of certificates that are trusted
     */
    ExplainingTrustManager(Supplier<Trusted> trusted, CertificateExpiry expiry) {
        this.trusted = requireNonNull(trusted, "trusted");
        this.expiry = requireNonNull(expiry, "expiry");
    }

    @FunctionalInterface
    private interface Check {
        void by(X509ExtendedTrustManager trust) throws CertificateException;
    }

    private void explained(X509Certificate[] chain, Check check) throws CertificateException {
        Trusted now = trusted.get();
        try {
            check.by(now.manager());
        } catch (CertificateException e) {
            throw new CertificateException(
                    "the server presented " + Certificates.describe(chain[0]) + "; trusted are " + now.description()
                            + " (" + e.getMessage() + ")",
                    e);
        }
        expiry.seen(List.of(chain));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        explained(chain, trust -> trust.checkServerTrusted(chain, authType, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        explained(chain, trust -> trust.checkServerTrusted(chain, authType, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        explained(chain, trust -> trust.checkServerTrusted(chain, authType));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        trusted.get().manager().checkClientTrusted(chain, authType, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        trusted.get().manager().checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        trusted.get().manager().checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trusted.get().manager().getAcceptedIssuers();
    }
}
