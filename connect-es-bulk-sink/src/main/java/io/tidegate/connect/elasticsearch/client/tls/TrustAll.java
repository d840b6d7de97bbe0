package io.tidegate.connect.elasticsearch.client.tls;

import java.security.cert.X509Certificate;

/** Trusts anybody, as the user asked for with {@code ssl.verification.mode=none}. */
final class TrustAll extends ServerTrustManager {
    @Override
    void check(X509Certificate[] chain, Check check) {}
}
