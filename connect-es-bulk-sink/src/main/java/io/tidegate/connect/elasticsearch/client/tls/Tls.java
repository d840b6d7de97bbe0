package io.tidegate.connect.elasticsearch.client.tls;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.elasticsearch.settings.TlsSettings;
import io.tidegate.connect.elasticsearch.settings.VerificationMode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.apache.http.conn.ssl.DefaultHostnameVerifier;
import org.apache.http.conn.ssl.NoopHostnameVerifier;
import org.apache.kafka.common.config.ConfigException;

/**
 * What the HTTP client trusts and who it is. Files that change are read again when a connection is next made.
 *
 * @param expiry of the certificates that are in use
 */
public record Tls(SSLContext context, HostnameVerifier hostnameVerifier, CertificateExpiry expiry) {
    public Tls {
        requireNonNull(context, "context");
        requireNonNull(hostnameVerifier, "hostnameVerifier");
        requireNonNull(expiry, "expiry");
    }

    /**
     * Reads the certificates.
     *
     * @throws ConfigException when they cannot be used
     */
    public static Tls of(TlsSettings settings) {
        HostnameVerifier verifier = settings.verification() == VerificationMode.FULL
                ? new DefaultHostnameVerifier()
                : NoopHostnameVerifier.INSTANCE;
        CertificateExpiry expiry = new CertificateExpiry();
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers(settings, expiry), new TrustManager[] {trustManager(settings, expiry)}, null);
            return new Tls(context, verifier, expiry);
        } catch (GeneralSecurityException e) {
            throw new ConfigException(TlsSettings.SSL_CA, settings, "TLS cannot be set up: " + e.getMessage());
        }
    }

    /**
     * Reads what is trusted, to find faults.
     *
     * @throws ConfigException when it cannot be used
     */
    public static void checkTrusted(TlsSettings settings) {
        if (settings.verification() != VerificationMode.NONE) {
            Trusted.of(settings);
        }
    }

    /**
     * Reads the sink's own certificate, to find faults.
     *
     * @throws ConfigException when it cannot be used
     */
    public static void checkClientKeys(TlsSettings settings) {
        if (ClientKeys.areSet(settings)) {
            ClientKeys.of(settings);
        }
    }

    private static TrustManager trustManager(TlsSettings settings, CertificateExpiry expiry) {
        if (settings.verification() == VerificationMode.NONE) {
            return new TrustAll();
        }
        List<Path> files = files(settings.ca(), settings.trustStore().location());
        return new ExplainingTrustManager(new Reloading<>(files, () -> Trusted.of(settings)), expiry);
    }

    private static KeyManager[] keyManagers(TlsSettings settings, CertificateExpiry expiry) {
        if (!ClientKeys.areSet(settings)) {
            return new KeyManager[0];
        }
        List<Path> files = files(
                settings.identity().certificate(),
                settings.identity().key().value(),
                settings.keyStore().location());
        Reloading<ClientKeys> keys = new Reloading<>(files, () -> {
            ClientKeys read = ClientKeys.of(settings);
            expiry.seen(read.certificates());
            return read;
        });
        return new KeyManager[] {new ReloadingKeyManager(keys)};
    }

    /** Those of the settings that name a file, rather than hold PEM text. */
    private static List<Path> files(String... settings) {
        List<Path> files = new ArrayList<>();
        for (String setting : settings) {
            if (!setting.isBlank() && !setting.contains("-----BEGIN")) {
                try {
                    files.add(Path.of(setting.trim()));
                } catch (InvalidPathException e) {
                    throw new ConfigException("a file of the TLS settings has a name that this system does not allow");
                }
            }
        }
        return files;
    }
}
