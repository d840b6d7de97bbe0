package io.tidegate.connect.testkit.elasticsearch;

import io.tidegate.connect.testkit.net.Certificates;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** The certificates and secrets of one node, in the node's config folder. */
final class ElasticsearchSecurity {
    private static final String HTTP = "xpack.security.http.ssl.";

    private final String password;
    private final boolean clientCertificates;
    private final Certificates certificates;
    private final Certificates.Identity probe;

    ElasticsearchSecurity(Path config, String password, boolean clientCertificates) {
        this.password = password;
        this.clientCertificates = clientCertificates;
        certificates = Certificates.authority(config);
        certificates.server("http").issue();
        probe = certificates.client("probe").issue();
    }

    String password() {
        return password;
    }

    Certificates certificates() {
        return certificates;
    }

    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("xpack.security.enabled", "true");
        settings.put("xpack.security.transport.ssl.enabled", "false");
        settings.put(HTTP + "enabled", "true");
        settings.put(HTTP + "keystore.path", "http.p12");
        settings.put(HTTP + "truststore.path", "ca.p12");
        settings.put(HTTP + "client_authentication", clientCertificates ? "required" : "optional");
        settings.put("xpack.security.authc.password_hashing.algorithm", "bcrypt4"); // the least cost
        return settings;
    }

    /** The secrets that the product reads from its keystore. */
    Map<String, String> secrets() {
        return Map.of(
                "bootstrap.password",
                password,
                HTTP + "keystore.secure_password",
                Certificates.STORE_PASSWORD,
                HTTP + "truststore.secure_password",
                Certificates.STORE_PASSWORD);
    }

    /** A client for the readiness check. It accepts any certificate, even an expired one. */
    SSLContext probe() {
        char[] storePassword = Certificates.STORE_PASSWORD.toCharArray();
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(KeyStore.getInstance(probe.keyStore().toFile(), storePassword), storePassword);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), new TrustManager[] {new TrustAnyone()}, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("Cannot create a TLS client for " + probe, e);
        }
    }

    /** Accepts every certificate. With the extended type, the JDK's client does not check the host name either. */
    private static final class TrustAnyone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
