package io.tidegate.connect.elasticsearch.client.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates in PEM: every block of a bundle counts, and what stands between the blocks does not. */
final class PemCertificates {
    private static final String BEGIN = "-----BEGIN";
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----([^-]*)-----END");

    private PemCertificates() {}

    /**
     * Reads a bundle.
     *
     * @param bundle the path of a file, or the text itself
     * @throws IllegalArgumentException with the reason when there is no certificate in it, or one cannot be read
     */
    static List<X509Certificate> read(String bundle) {
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher block = BLOCK.matcher(bundle.contains(BEGIN) ? bundle : textOf(bundle));
        while (block.find()) {
            certificates.add(certificate(block.group(1), certificates.size() + 1));
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("it holds no PEM block `-----BEGIN CERTIFICATE-----`");
        }
        return certificates;
    }

    private static String textOf(String path) {
        try {
            return Files.readString(Path.of(path), StandardCharsets.ISO_8859_1);
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException("the file cannot be read: " + e, e);
        }
    }

    private static X509Certificate certificate(String base64, int number) {
        try {
            byte[] der = Base64.getMimeDecoder().decode(base64.replace("\\n", "\n"));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException | IllegalArgumentException e) {
            throw new IllegalArgumentException("certificate " + number + " in it cannot be read: " + e.getMessage(), e);
        }
    }
}
