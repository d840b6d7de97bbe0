package io.tidegate.connect.common.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.apache.kafka.common.config.ConfigException;

/**
 * The servers that a client trusts.
 *
 * @param rule decides
 * @param authorities whose certificates are trusted; empty if they are not known before
 * @param description describes them in words
 */
record Trusted(Rule rule, List<X509Certificate> authorities, String description) {
    Trusted {
        requireNonNull(rule, "rule");
        authorities = List.copyOf(authorities);
        requireNonNull(description, "description");
    }

    /** Refuses the chain of a server with an exception, or returns. */
    @FunctionalInterface
    interface Rule {
        void check(X509Certificate[] chain, String authType) throws CertificateException;
    }

    /**
     * Reads what the settings name.
     *
     * @throws ConfigException when it cannot be used
     */
    static Trusted of(TlsSettings settings) {
        if (settings.verification() == VerificationMode.NONE) {
            return new Trusted((chain, authType) -> {}, List.of(), "all servers");
        }
        String fingerprint = settings.caFingerprint();
        if (!fingerprint.isEmpty()) {
            return new Trusted(
                    (chain, authType) -> checkFingerprint(fingerprint, chain, authType),
                    List.of(),
                    TlsSettings.SSL_CA_FINGERPRINT + " " + fingerprint);
        }
        KeyMaterial file = settings.authorities();
        if (!file.isSet()) {
            return of("the authorities that the worker's JVM trusts", managerOver("the JVM's store", null), "");
        }
        String pem = file.pem().orElse("");
        KeyStore store = pem.isEmpty() ? file.store() : storeOf(file.certificates(pem));
        X509TrustManager manager = managerOver(file.setting(), store);
        if (manager.getAcceptedIssuers().length == 0) {
            String prefix = file.setting().substring(0, file.setting().indexOf("ssl."));
            throw file.unusable("the store holds no certificate that can be read"
                    + (file.password().value().isEmpty()
                            ? " without a password: set " + prefix + TlsSettings.SSL_TRUSTSTORE_PASSWORD
                            : ", so nobody would be trusted"));
        }
        return of(file.setting() + " ", manager, Certificates.describe(List.of(manager.getAcceptedIssuers())));
    }

    private static Trusted of(String setting, X509TrustManager manager, String names) {
        return new Trusted(manager::checkServerTrusted, List.of(manager.getAcceptedIssuers()), setting + names);
    }

    /** The authority with the fingerprint must be part of the chain. Signatures and dates are verified as with any other. */
    private static void checkFingerprint(String fingerprint, X509Certificate[] chain, String authType)
            throws CertificateException {
        for (X509Certificate certificate : chain) {
            if (Certificates.fingerprint(certificate).equals(fingerprint)) {
                managerOver(TlsSettings.SSL_CA_FINGERPRINT, storeOf(List.of(certificate)))
                        .checkServerTrusted(chain, authType);
                return;
            }
        }
        throw new CertificateException(
                "none of the certificates that the server presented has that fingerprint; theirs are "
                        + Arrays.stream(chain).map(Certificates::fingerprint).collect(Collectors.joining(", ")));
    }

    private static KeyStore storeOf(List<X509Certificate> certificates) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < certificates.size(); i++) {
                store.setCertificateEntry("ca-" + i, certificates.get(i));
            }
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the JVM makes no store in memory", e);
        }
    }

    /** The JDK's trust manager for this store. For {@code null} it is that for the JVM's own store. */
    private static X509TrustManager managerOver(String setting, KeyStore store) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return Arrays.stream(factory.getTrustManagers())
                    .filter(X509TrustManager.class::isInstance)
                    .map(X509TrustManager.class::cast)
                    .findFirst()
                    .orElseThrow(() -> new GeneralSecurityException("the JVM has no X.509 trust manager"));
        } catch (GeneralSecurityException e) {
            throw new ConfigException(setting + " cannot be used: " + e.getMessage());
        }
    }
}
