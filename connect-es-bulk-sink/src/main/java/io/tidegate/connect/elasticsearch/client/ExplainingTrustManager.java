package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts what another trusts, but says in a refusal what the server presented and what is trusted. */
final class ExplainingTrustManager extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager delegate;
    private final String trusted;

    ExplainingTrustManager(X509ExtendedTrustManager delegate, String trusted) {
        this.delegate = requireNonNull(delegate, "delegate");
        this.trusted = requireNonNull(trusted, "trusted");
    }

    @FunctionalInterface
    private interface Check {
        void run() throws CertificateException;
    }

    private void explained(X509Certificate[] chain, Check check) throws CertificateException {
        try {
            check.run();
        } catch (CertificateException e) {
            throw new CertificateException(
                    "the server presented " + Certificates.describe(chain[0]) + "; trusted are " + trusted + " ("
                            + e.getMessage() + ")",
                    e);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        explained(chain, () -> delegate.checkServerTrusted(chain, authType, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        explained(chain, () -> delegate.checkServerTrusted(chain, authType, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        explained(chain, () -> delegate.checkServerTrusted(chain, authType));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        delegate.checkClientTrusted(chain, authType, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        delegate.checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        delegate.checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return delegate.getAcceptedIssuers();
    }
}
