package io.tidegate.connect.elasticsearch.client.tls;

import io.tidegate.connect.elasticsearch.settings.StoreFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.common.config.ConfigException;

/** Java's stores of certificates and keys. */
final class Stores {
    private Stores() {}

    /**
     * Reads a store from a file.
     *
     * @param setting the setting that names the file
     * @throws ConfigException when it cannot be read
     */
    static KeyStore read(String setting, StoreFile file) {
        try (InputStream in = Files.newInputStream(Path.of(file.location()))) {
            KeyStore store = KeyStore.getInstance(file.type());
            store.load(in, password(file));
            return store;
        } catch (IOException | GeneralSecurityException | InvalidPathException e) {
            throw new ConfigException(setting + " " + file.location() + " cannot be read as a " + file.type()
                    + " store: " + e.getMessage());
        }
    }

    /** {@code null} without a password, as the JDK expects. The store's integrity is then not verified. */
    private static char[] password(StoreFile file) {
        String password = file.password().value();
        return password.isEmpty() ? null : password.toCharArray();
    }

    /** Makes a new store of these certificates. */
    static KeyStore of(List<X509Certificate> certificates) {
        try {
            KeyStore store = empty();
            for (int i = 0; i < certificates.size(); i++) {
                store.setCertificateEntry("ca-" + i, certificates.get(i));
            }
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the JVM makes no store in memory", e);
        }
    }

    static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }

    /** The store's certificates: trusted ones and the first of each key's chain. */
    static List<X509Certificate> certificates(KeyStore store) {
        try {
            List<X509Certificate> certificates = new ArrayList<>();
            for (String alias : Collections.list(store.aliases())) {
                if (store.getCertificate(alias) instanceof X509Certificate certificate) {
                    certificates.add(certificate);
                }
            }
            return certificates;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a loaded store is not initialised", e);
        }
    }

    static boolean hasKey(KeyStore store) {
        try {
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias)) {
                    return true;
                }
            }
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a loaded store is not initialised", e);
        }
    }
}
