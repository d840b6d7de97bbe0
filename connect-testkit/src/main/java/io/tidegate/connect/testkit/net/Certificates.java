package io.tidegate.connect.testkit.net;

import io.tidegate.connect.testkit.process.Folders;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority and the certificates that it issues, as PEM and PKCS12 files in one folder: {@code ca.pem},
 * {@code ca.p12} and, for an identity NAME, {@code NAME.pem}, {@code NAME.key}, {@code NAME.pk8} and {@code NAME.p12}.
 * Keys are on the curve P-256. The authorities of two folders do not trust each other.
 */
public final class Certificates {
    /** The password of every PKCS12 file. */
    public static final String STORE_PASSWORD = "changeit";

    private static final Duration VALIDITY = Duration.ofDays(365);
    private static final Duration CLOCK_SKEW = Duration.ofHours(1);
    private static final String SIGNATURE = "SHA256withECDSA";

    private final CertificateFiles files;
    private final KeyPair keys;
    private final X509Certificate certificate;

    private Certificates(CertificateFiles files, String commonName) {
        this.files = files;
        keys = newKeys();
        X500Principal name = name(commonName);
        Instant now = Instant.now();
        JcaX509v3CertificateBuilder builder = builder(name, name, keys, now.minus(CLOCK_SKEW), now.plus(VALIDITY));
        certificate = sign(
                builder,
                keys,
                List.of(
                        new Extra(Extension.basicConstraints, true, new BasicConstraints(0)),
                        new Extra(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))));
        files.writeAuthority(certificate);
    }

    /** Makes an authority and writes its certificate into the folder. Creates the folder if necessary. */
    public static Certificates authority(Path folder) {
        return new Certificates(
                new CertificateFiles(Folders.create(Objects.requireNonNull(folder, "folder"))),
                "Testkit authority " + Passwords.random());
    }

    /** The authority's certificate, PEM. */
    public Path caCertificate() {
        return files.file("ca.pem");
    }

    /** A PKCS12 file that contains only the authority's certificate. */
    public Path trustStore() {
        return files.file("ca.p12");
    }

    /** A TLS context for clients that trust this authority and have no certificate. */
    public SSLContext trustingContext() {
        return trusting(caCertificate());
    }

    /**
     * A TLS context for clients that trust one authority and have no certificate.
     *
     * @param authority its certificate, PEM
     */
    public static SSLContext trusting(Path authority) {
        try (InputStream in = Files.newInputStream(authority)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("Cannot create a TLS client for " + authority, e);
        }
    }

    /** Requests a server certificate, for {@code localhost} and 127.0.0.1 unless {@link Request#hosts} names others. */
    public Request server(String name) {
        return new Request(name, KeyPurposeId.id_kp_serverAuth).hosts("localhost", "127.0.0.1");
    }

    /** Requests a client certificate with this common name. */
    public Request client(String name) {
        return new Request(name, KeyPurposeId.id_kp_clientAuth);
    }

    /**
     * A key and its certificate.
     *
     * @param certificate PEM, without the authority's certificate
     * @param privateKey PEM, PKCS8 without password
     * @param privateKeyDer DER, PKCS8 without password, the format of pgjdbc's {@code sslkey}
     * @param keyStore PKCS12 with key, certificate and authority, password {@link #STORE_PASSWORD}, alias {@code user}
     */
    public record Identity(Path certificate, Path privateKey, Path privateKeyDer, Path keyStore) {}

    /** A certificate to be issued. */
    public final class Request {
        private final String name;
        private final KeyPurposeId purpose;
        private final List<String> hosts = new ArrayList<>();
        private boolean expired;

        private Request(String name, KeyPurposeId purpose) {
            this.name = Objects.requireNonNull(name, "name");
            this.purpose = purpose;
        }

        /** Sets the only names that the certificate is valid for: DNS names or IPv4 addresses. */
        public Request hosts(String... names) {
            hosts.clear();
            hosts.addAll(List.of(names));
            return this;
        }

        /** Makes the certificate's validity end an hour ago. */
        public Request expired() {
            expired = true;
            return this;
        }

        /** Creates the key and certificate. Replaces the files of an earlier identity with this name. */
        public Identity issue() {
            KeyPair own = newKeys();
            Instant now = Instant.now();
            Instant from = expired ? now.minus(VALIDITY) : now.minus(CLOCK_SKEW);
            Instant until = expired ? now.minus(CLOCK_SKEW) : now.plus(VALIDITY);
            JcaX509v3CertificateBuilder builder =
                    builder(certificate.getSubjectX500Principal(), name(name), own, from, until);
            List<Extra> extras = new ArrayList<>();
            extras.add(new Extra(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose)));
            if (!hosts.isEmpty()) {
                extras.add(new Extra(Extension.subjectAlternativeName, false, names()));
            }
            return files.writeIdentity(name, own, sign(builder, keys, extras), certificate);
        }

        private GeneralNames names() {
            return new GeneralNames(hosts.stream()
                    .map(host -> new GeneralName(
                            host.matches("[0-9.]+") ? GeneralName.iPAddress : GeneralName.dNSName, host))
                    .toArray(GeneralName[]::new));
        }
    }

    private record Extra(
            org.bouncycastle.asn1.ASN1ObjectIdentifier id,
            boolean critical,
            org.bouncycastle.asn1.ASN1Encodable value) {}

    private static X500Principal name(String commonName) {
        return new X500Principal("CN=" + commonName);
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK cannot create P-256 keys", e);
        }
    }

    private static JcaX509v3CertificateBuilder builder(
            X500Principal issuer, X500Principal subject, KeyPair keys, Instant from, Instant until) {
        BigInteger serial = new BigInteger(Passwords.random(), 16);
        return new JcaX509v3CertificateBuilder(
                issuer, serial, Date.from(from), Date.from(until), subject, keys.getPublic());
    }

    private static X509Certificate sign(JcaX509v3CertificateBuilder builder, KeyPair signer, List<Extra> extras) {
        try {
            for (Extra extra : extras) {
                builder.addExtension(extra.id(), extra.critical(), extra.value());
            }
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(signer.getPrivate())));
        } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
            throw new IllegalStateException("Cannot sign a certificate", e);
        }
    }
}
