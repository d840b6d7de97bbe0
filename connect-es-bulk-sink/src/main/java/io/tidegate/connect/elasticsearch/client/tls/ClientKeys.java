package io.tidegate.connect.elasticsearch.client.tls;

import io.tidegate.connect.elasticsearch.settings.PemIdentity;
import io.tidegate.connect.elasticsearch.settings.TlsSettings;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/**
 * The sink's own certificate and key.
 *
 * @param manager holds both
 * @param certificates the sink's own, without those of authorities
 */
record ClientKeys(X509ExtendedKeyManager manager, List<X509Certificate> certificates) {
    private static final char[] IN_MEMORY = "in memory".toCharArray();

    /** Whether the settings name a certificate or key. */
    static boolean areSet(TlsSettings settings) {
        return settings.identity().isSet() || settings.keyStore().isSet();
    }

    /**
     * Reads the certificate and key that the settings name.
     *
     * @throws ConfigException when they cannot be used
     */
    static ClientKeys of(TlsSettings settings) {
        if (settings.keyStore().isPem()) {
            String file = settings.keyStore().location();
            return ofPem(
                    TlsSettings.SSL_KEYSTORE_LOCATION,
                    TlsSettings.SSL_KEYSTORE_LOCATION,
                    new PemIdentity(
                            file, new Password(file), settings.identity().keyPassword()));
        }
        if (settings.keyStore().isSet()) {
            KeyStore store = Stores.read(TlsSettings.SSL_KEYSTORE_LOCATION, settings.keyStore());
            if (!Stores.hasKey(store)) {
                throw new ConfigException(TlsSettings.SSL_KEYSTORE_LOCATION + " "
                        + settings.keyStore().location() + " holds no key");
            }
            String keyPassword = settings.identity().keyPassword().value();
            String password =
                    keyPassword.isEmpty() ? settings.keyStore().password().value() : keyPassword;
            return of(TlsSettings.SSL_KEYSTORE_LOCATION, store, password.toCharArray());
        }
        return ofPem(TlsSettings.SSL_CERTIFICATE, TlsSettings.SSL_KEY, settings.identity());
    }

    private static ClientKeys of(String setting, KeyStore store, char[] password) {
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, password);
            return Arrays.stream(factory.getKeyManagers())
                    .filter(X509ExtendedKeyManager.class::isInstance)
                    .map(manager -> new ClientKeys((X509ExtendedKeyManager) manager, Stores.certificates(store)))
                    .findFirst()
                    .orElseThrow(() -> new GeneralSecurityException("the JVM has no X.509 key manager"));
        } catch (GeneralSecurityException e) {
            throw new ConfigException(setting + " cannot be used: " + e.getMessage());
        }
    }

    private static ClientKeys ofPem(String certificateSetting, String keySetting, PemIdentity identity) {
        List<X509Certificate> chain = read(certificateSetting, () -> PemCertificates.read(identity.certificate()));
        PrivateKey key = read(
                keySetting,
                () -> PemPrivateKey.read(
                        identity.key().value(),
                        identity.keyPassword().value(),
                        chain.get(0).getPublicKey()));
        try {
            KeyStore store = Stores.empty();
            store.setKeyEntry("client", key, IN_MEMORY, chain.toArray(X509Certificate[]::new));
            return of(certificateSetting, store, IN_MEMORY);
        } catch (GeneralSecurityException | IOException e) {
            throw new ConfigException(certificateSetting + " cannot be used: " + e.getMessage());
        }
    }

    private interface Reading<T> {
        T read();
    }

    private static <T> T read(String setting, Reading<T> reading) {
        try {
            return reading.read();
        } catch (IllegalArgumentException e) {
            throw new ConfigException(setting + " cannot be used: " + e.getMessage());
        }
    }
}
