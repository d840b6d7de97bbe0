package io.tidegate.connect.elasticsearch.client;

import io.tidegate.connect.elasticsearch.settings.TlsSettings;
import io.tidegate.connect.elasticsearch.settings.VerificationMode;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.http.conn.ssl.DefaultHostnameVerifier;
import org.apache.http.conn.ssl.NoopHostnameVerifier;
import org.apache.kafka.common.config.ConfigException;

/** What the HTTP client trusts. */
public record Tls(SSLContext context, HostnameVerifier hostnameVerifier) {
    /**
     * Reads the certificates.
     *
     * @throws ConfigException when they cannot be used
     */
    public static Tls of(TlsSettings settings) {
        HostnameVerifier verifier = settings.verification() == VerificationMode.FULL
                ? new DefaultHostnameVerifier()
                : NoopHostnameVerifier.INSTANCE;
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {trustManager(settings)}, null);
            return new Tls(context, verifier);
        } catch (GeneralSecurityException | IOException e) {
            throw new ConfigException(TlsSettings.SSL_CA, settings, "TLS cannot be set up: " + e.getMessage());
        }
    }

    private static X509ExtendedTrustManager trustManager(TlsSettings settings)
            throws GeneralSecurityException, IOException {
        if (settings.verification() == VerificationMode.NONE) {
            return new TrustAll();
        }
        if (settings.ca().isEmpty()) {
            return new ExplainingTrustManager(trusting(null), "the authorities that the worker's JVM trusts");
        }
        List<X509Certificate> authorities = authorities(settings);
        return new ExplainingTrustManager(
                trusting(storeOf(authorities)), TlsSettings.SSL_CA + " " + Certificates.describe(authorities));
    }

    private static List<X509Certificate> authorities(TlsSettings settings) {
        try {
            return PemCertificates.read(settings.ca());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(TlsSettings.SSL_CA + " cannot be used: " + e.getMessage());
        }
    }

    private static KeyStore storeOf(List<X509Certificate> authorities) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("ca-" + i, authorities.get(i));
        }
        return store;
    }

    /** The JVM's trust manager over this store, or over the JVM's own for {@code null}, as the JDK has it. */
    private static X509ExtendedTrustManager trusting(KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509ExtendedTrustManager.class::isInstance)
                .map(X509ExtendedTrustManager.class::cast)
                .findFirst()
                .orElseThrow(() -> new GeneralSecurityException("the JVM has no X.509 trust manager"));
    }
}
