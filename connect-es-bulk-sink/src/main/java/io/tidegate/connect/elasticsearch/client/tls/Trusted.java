package io.tidegate.connect.elasticsearch.client.tls;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.elasticsearch.settings.TlsSettings;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.kafka.common.config.ConfigException;

/**
 * Whom the sink trusts.
 *
 * @param manager decides
 * @param description what it trusts, in words
 */
record Trusted(X509ExtendedTrustManager manager, String description) {
    Trusted {
        requireNonNull(manager, "manager");
        requireNonNull(description, "description");
    }

    /**
     * Reads what the settings name.
     *
     * @throws ConfigException when it cannot be used
     */
    static Trusted of(TlsSettings settings) {
        if (!settings.caFingerprint().isEmpty()) {
            return new Trusted(
                    new FingerprintTrustManager(settings.caFingerprint()),
                    TlsSettings.SSL_CA_FINGERPRINT + " " + settings.caFingerprint());
        }
        if (settings.trustStore().isSet()) {
            KeyStore store = Stores.read(TlsSettings.SSL_TRUSTSTORE_LOCATION, settings.trustStore());
            return new Trusted(
                    trusting(TlsSettings.SSL_TRUSTSTORE_LOCATION, store),
                    TlsSettings.SSL_TRUSTSTORE_LOCATION + " " + Certificates.describe(Stores.certificates(store)));
        }
        if (settings.ca().isEmpty()) {
            return new Trusted(trustingTheJvms(), "the authorities that the worker's JVM trusts");
        }
        List<X509Certificate> authorities = authorities(settings);
        return new Trusted(
                trusting(TlsSettings.SSL_CA, Stores.of(authorities)),
                TlsSettings.SSL_CA + " " + Certificates.describe(authorities));
    }

    private static List<X509Certificate> authorities(TlsSettings settings) {
        try {
            return PemCertificates.read(settings.ca());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(TlsSettings.SSL_CA + " cannot be used: " + e.getMessage());
        }
    }

    static X509ExtendedTrustManager trusting(String setting, KeyStore store) {
        try {
            return managerOver(store);
        } catch (GeneralSecurityException e) {
            throw new ConfigException(setting + " cannot be used: " + e.getMessage());
        }
    }

    private static X509ExtendedTrustManager trustingTheJvms() {
        try {
            return managerOver(null);
        } catch (GeneralSecurityException e) {
            throw new ConfigException("the authorities that the worker's JVM trusts cannot be read: " + e.getMessage());
        }
    }

    /** The JVM's trust manager over this store, or over the JVM's own for {@code null}, as the JDK has it. */
    private static X509ExtendedTrustManager managerOver(KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509ExtendedTrustManager.class::isInstance)
                .map(X509ExtendedTrustManager.class::cast)
                .findFirst()
                .orElseThrow(() -> new GeneralSecurityException("the JVM has no X.509 trust manager"));
    }
}
