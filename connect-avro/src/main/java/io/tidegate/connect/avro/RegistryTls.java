package io.tidegate.connect.avro;

import io.tidegate.connect.common.format.RegistrySettings;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/** Whom the client of a registry trusts, and who it is. Stateless. */
final class RegistryTls {
    private static final int FIRST_BYTE_OF_PKCS12 = 0x30;
    private static final int FIRST_BYTE_OF_JKS = 0xfe;

    private RegistryTls() {}

    /**
     * The context that the settings describe; empty for the JVM's.
     *
     * @throws ConfigException when a file cannot be used
     */
    static Optional<SSLContext> contextOf(RegistrySettings settings) {
        if (settings.trustStore().isEmpty() && settings.keyStore().isEmpty()) {
            return Optional.empty();
        }
        try {
            KeyManager[] keys = settings.keyStore().isEmpty() ? new KeyManager[0] : keysOf(settings);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(settings.trustStore().isEmpty() ? null : trustOf(settings)); // null: the JVM's
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust.getTrustManagers(), null);
            return Optional.of(context);
        } catch (GeneralSecurityException e) {
            throw new ConfigException(
                    RegistrySettings.TRUSTSTORE_LOCATION,
                    settings.trustStore(),
                    "TLS cannot be set up: " + e.getMessage());
        }
    }

    private static KeyManager[] keysOf(RegistrySettings settings) {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(
                    store(settings.keyStore(), settings.keyStorePassword()),
                    settings.keyStorePassword().value().toCharArray());
            return keys.getKeyManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw unusable(RegistrySettings.KEYSTORE_LOCATION, settings.keyStore(), e);
        }
    }

    private static KeyStore trustOf(RegistrySettings settings) {
        try {
            return isStore(settings.trustStore())
                    ? store(settings.trustStore(), settings.trustStorePassword())
                    : certificates(settings.trustStore());
        } catch (GeneralSecurityException | IOException e) {
            throw unusable(RegistrySettings.TRUSTSTORE_LOCATION, settings.trustStore(), e);
        }
    }

    private static ConfigException unusable(String key, String path, Exception e) {
        return new ConfigException(key, path, "the file cannot be used: " + e.getMessage());
    }

    private static boolean isStore(String path) throws IOException {
        try (InputStream in = new FileInputStream(path)) {
            int first = in.read();
            return first == FIRST_BYTE_OF_PKCS12 || first == FIRST_BYTE_OF_JKS;
        }
    }

    private static KeyStore store(String path, Password password) throws GeneralSecurityException, IOException {
        return KeyStore.getInstance(new File(path), password.value().toCharArray());
    }

    private static KeyStore certificates(String path) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = new FileInputStream(path)) {
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + number++, certificate);
            }
            if (number == 0) {
                throw new IOException("it has no certificate");
            }
        }
        return store;
    }
}
