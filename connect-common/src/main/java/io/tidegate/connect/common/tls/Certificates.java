package io.tidegate.connect.common.tls;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** Certificates in words. */
final class Certificates {
    private static final int MAX_LISTED = 5;

    private Certificates() {}

    /** The subject, issuer, validity and SHA-256 fingerprint, as Elasticsearch prints the last. */
    static String describe(X509Certificate certificate) {
        return "`" + certificate.getSubjectX500Principal() + "` issued by `" + certificate.getIssuerX500Principal()
                + "`, valid from " + certificate.getNotBefore().toInstant() + " to "
                + certificate.getNotAfter().toInstant() + ", SHA-256 " + fingerprint(certificate);
    }

    static String describe(List<X509Certificate> certificates) {
        String listed = certificates.stream()
                .limit(MAX_LISTED)
                .map(certificate ->
                        "`" + certificate.getSubjectX500Principal() + "` (SHA-256 " + fingerprint(certificate) + ")")
                .collect(Collectors.joining(", "));
        int more = certificates.size() - MAX_LISTED;
        return more > 0 ? listed + " and " + more + " more" : listed;
    }

    static String fingerprint(X509Certificate certificate) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            return "unknown";
        }
    }
}
