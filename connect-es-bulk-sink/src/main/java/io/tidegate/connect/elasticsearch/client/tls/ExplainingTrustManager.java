package io.tidegate.connect.elasticsearch.client.tls;

import static java.util.Objects.requireNonNull;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;

/** Trusts what another trusts, but says in a refusal what the server presented and what is trusted. */
final class ExplainingTrustManager extends ServerTrustManager {
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

    @Override
    void check(X509Certificate[] chain, Check check) throws CertificateException {
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
    public X509Certificate[] getAcceptedIssuers() {
        return trusted.get().manager().getAcceptedIssuers();
    }
}
