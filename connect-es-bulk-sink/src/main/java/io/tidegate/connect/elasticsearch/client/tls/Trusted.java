package io.tidegate.connect.elasticsearch.client.tls;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.elasticsearch.settings.StoreFile;
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
 * The certificates that the sink trusts.
 *
 * @param manager decides
 * @param description describes them in words
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
            return ofStore(settings.trustStore());
        }
        if (settings.ca().isEmpty()) {
            return new Trusted(trustingTheJvms(), "the authorities that the worker's JVM trusts");
        }
        return ofPem(TlsSettings.SSL_CA, settings.ca());
    }

    private static Trusted ofStore(StoreFile file) {
        String setting = TlsSettings.SSL_TRUSTSTORE_LOCATION;
        if (file.isPem()) {
            return ofPem(setting, file.location());
        }
        KeyStore store = Stores.read(setting, file);
        List<X509Certificate> authorities = Stores.certificates(store);
        if (authorities.isEmpty()) {
            throw new ConfigException(setting + " " + file.location() + " holds no certificate that can be read"
                    + (file.password().value().isEmpty()
                            ? " without a password: set " + TlsSettings.SSL_TRUSTSTORE_PASSWORD
                            : ", so nobody would be trusted"));
        }
        return new Trusted(trusting(setting, store), setting + " " + Certificates.describe(authorities));
    }

    private static Trusted ofPem(String setting, String bundle) {
        try {
            List<X509Certificate> authorities = PemCertificates.read(bundle);
            return new Trusted(
                    trusting(setting, Stores.of(authorities)), setting + " " + Certificates.describe(authorities));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(setting + " cannot be used: " + e.getMessage());
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

    /** The JVM's trust manager for this store. For {@code null} the JDK uses the JVM's own store. */
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
