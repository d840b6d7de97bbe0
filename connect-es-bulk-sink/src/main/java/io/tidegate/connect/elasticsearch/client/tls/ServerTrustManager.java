package io.tidegate.connect.elasticsearch.client.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts servers by one rule, whatever carries the handshake. The sink is no server, so it trusts no client. */
abstract class ServerTrustManager extends X509ExtendedTrustManager {
    /** Asks another trust manager about the same chain and handshake. */
    @FunctionalInterface
    interface Check {
        void by(X509ExtendedTrustManager trust) throws CertificateException;
    }

    /** Refuses the chain of a server with an exception, or returns. */
    abstract void check(X509Certificate[] chain, Check check) throws CertificateException;

    @Override
    public final void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, trust -> trust.checkServerTrusted(chain, authType, engine));
    }

    @Override
    public final void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain, trust -> trust.checkServerTrusted(chain, authType, socket));
    }

    @Override
    public final void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain, trust -> trust.checkServerTrusted(chain, authType));
    }

    @Override
    public final void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public final void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public final void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("the sink has no clients");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
