package io.tidegate.connect.common.tls;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/**
 * Certificates or a key, as a setting gives them: PEM text, or a file with PEM or a Java store. The content of a file shows
 * what it is.
 *
 * @param setting its name
 * @param source the text, or the path of the file; empty for none. It may be a secret
 * @param password of the store or key; empty for none
 */
record KeyMaterial(String setting, Password source, Password password) {
    private static final String BEGIN = "-----BEGIN";
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----([^-]*)-----END");

    KeyMaterial {
        requireNonNull(setting, "setting");
        requireNonNull(source, "source");
        requireNonNull(password, "password");
    }

    KeyMaterial(String setting, String source, Password password) {
        this(setting, new Password(source), password);
    }

    boolean isSet() {
        return !source.value().isEmpty();
    }

    private boolean isText() {
        return source.value().contains(BEGIN);
    }

    /** What is to be read again when it changes; empty for text. */
    Optional<Path> file() {
        try {
            return isSet() && !isText() ? Optional.of(Path.of(source.value().trim())) : Optional.empty();
        } catch (InvalidPathException e) {
            throw unusable("this system does not allow a file of that name");
        }
    }

    /**
     * The PEM blocks; empty for a store.
     *
     * @throws ConfigException when the file cannot be read
     */
    Optional<String> pem() {
        Optional<Path> file = file();
        try {
            String text = file.isEmpty() ? source.value() : Files.readString(file.get(), StandardCharsets.ISO_8859_1);
            return Optional.of(text).filter(read -> read.contains(BEGIN));
        } catch (IOException e) {
            throw unusable("the file cannot be read: " + e.getClass().getSimpleName()); // not its name: it may be a key
        }
    }

    /**
     * Reads a store, of any type that the JVM recognises.
     *
     * @throws ConfigException when it cannot be read
     */
    KeyStore store() {
        try {
            // Without a password, the JDK expects null and does not verify the store's integrity.
            char[] opens = password.value().isEmpty() ? null : password.value().toCharArray();
            return KeyStore.getInstance(new File(source.value()), opens);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw unusable("the file has no PEM block, and cannot be read as a store: " + e.getMessage());
        }
    }

    /**
     * The certificates in a bundle. What is between its blocks does not matter.
     *
     * @throws ConfigException when there is none in it, or one cannot be read
     */
    List<X509Certificate> certificates(String pem) {
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher block = CERTIFICATE.matcher(pem);
        while (block.find()) {
            try {
                certificates.add((X509Certificate) CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(decoded(block.group(1)))));
            } catch (CertificateException | IllegalArgumentException e) {
                throw unusable("certificate " + (certificates.size() + 1) + " in it cannot be read: " + e.getMessage());
            }
        }
        if (certificates.isEmpty()) {
            throw unusable("it holds no PEM block `-----BEGIN CERTIFICATE-----`");
        }
        return certificates;
    }

    /** The bytes of a block. In a connector's JSON a line may end in the two characters of an escape. */
    static byte[] decoded(String base64) {
        return Base64.getMimeDecoder().decode(base64.replace("\\n", "\n"));
    }

    ConfigException unusable(String reason) {
        return new ConfigException(setting + " cannot be used: " + reason);
    }
}
