package io.tidegate.connect.common.tls;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.Problem;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.apache.kafka.common.config.ConfigException;

/**
 * What a client trusts and who it is. Files that change are read again when a connection is next made.
 *
 * @param expiry of the certificates that are in use
 */
public record Tls(SSLContext context, CertificateExpiry expiry) {
    public Tls {
        requireNonNull(context, "context");
        requireNonNull(expiry, "expiry");
    }

    /**
     * Reads the certificates.
     *
     * @throws ConfigException when they cannot be used
     */
    public static Tls of(TlsSettings settings) {
        CertificateExpiry expiry = new CertificateExpiry();
        ServerTrust trust =
                new ServerTrust(new Reloading<>(files(settings.authorities()), () -> Trusted.of(settings)), expiry);
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers(settings, expiry), new TrustManager[] {trust}, null);
            return new Tls(context, expiry);
        } catch (GeneralSecurityException e) {
            throw settings.authorities().unusable("TLS cannot be set up: " + e.getMessage());
        }
    }

    private static KeyManager[] keyManagers(TlsSettings settings, CertificateExpiry expiry)
            throws GeneralSecurityException {
        if (!settings.certificate().isSet()) {
            return new KeyManager[0];
        }
        return ClientKeys.managers(new Reloading<>(files(settings.certificate(), settings.key()), () -> {
            ClientKeys read = ClientKeys.of(settings.certificate(), settings.key());
            expiry.own(read.certificates());
            return read;
        }));
    }

    private static List<Path> files(KeyMaterial... materials) {
        return Stream.of(materials)
                .map(KeyMaterial::file)
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /** What cannot be used, the first of all. */
    public static List<Problem> problems(TlsSettings settings) {
        KeyMaterial own = settings.certificate();
        return Problem.ofReading(settings.authorities().setting(), () -> Trusted.of(settings), "")
                .or(() -> own.isSet()
                        ? Problem.ofReading(own.setting(), () -> ClientKeys.of(own, settings.key()), "")
                        : Optional.empty())
                .stream()
                .toList();
    }
}
