package io.tidegate.connect.common.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStore.PasswordProtection;
import java.security.KeyStore.ProtectionParameter;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyStoreBuilderParameters;
import org.apache.kafka.common.config.ConfigException;

/**
 * The sink's own certificates and keys.
 *
 * @param store has them
 * @param protection of the keys
 * @param certificates the sink's own, without those of authorities
 */
record ClientKeys(KeyStore store, ProtectionParameter protection, List<X509Certificate> certificates) {
    private static final String IN_MEMORY = "in memory";

    /**
     * Reads both.
     *
     * @throws ConfigException when they cannot be used
     */
    static ClientKeys of(KeyMaterial certificate, KeyMaterial key) {
        try {
            String chain = certificate.pem().orElse("");
            return chain.isEmpty() ? ofStore(certificate, key) : ofPem(certificate.certificates(chain), key);
        } catch (GeneralSecurityException | IOException e) {
            throw certificate.unusable(e.getMessage());
        }
    }

    private static ClientKeys ofStore(KeyMaterial file, KeyMaterial key) throws GeneralSecurityException {
        KeyStore store = file.store();
        PasswordProtection protection =
                new PasswordProtection(key.password().value().toCharArray());
        List<X509Certificate> certificates = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)
                    && store.getEntry(alias, protection) instanceof KeyStore.PrivateKeyEntry entry
                    && entry.getCertificate() instanceof X509Certificate certificate) {
                certificates.add(certificate);
            }
        }
        if (certificates.isEmpty()) {
            throw file.unusable("it holds no key");
        }
        return new ClientKeys(store, protection, certificates);
    }

    private static ClientKeys ofPem(List<X509Certificate> chain, KeyMaterial key)
            throws GeneralSecurityException, IOException {
        PrivateKey read = PemPrivateKey.read(key, chain.get(0).getPublicKey());
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry("client", read, IN_MEMORY.toCharArray(), chain.toArray(X509Certificate[]::new));
        return new ClientKeys(store, new PasswordProtection(IN_MEMORY.toCharArray()), chain.subList(0, 1));
    }

    /**
     * The JDK's key manager. A handshake asks for the keys twice, first for an alias and then for what it stands for; files
     * that change in between cost that one handshake.
     */
    static KeyManager[] managers(Supplier<ClientKeys> current) throws GeneralSecurityException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(new KeyStoreBuilderParameters(new KeyStore.Builder() {
            @Override
            public KeyStore getKeyStore() {
                return current.get().store();
            }

            @Override
            public ProtectionParameter getProtectionParameter(String alias) {
                return current.get().protection();
            }
        }));
        return factory.getKeyManagers();
    }
}
