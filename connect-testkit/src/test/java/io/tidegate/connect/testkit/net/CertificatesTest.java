package io.tidegate.connect.testkit.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.SignatureException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CertificatesTest {
    private static final Integer DNS_NAME = 2;
    private static final Integer IP_ADDRESS = 7;

    @TempDir
    private Path folder;

    @Test
    void aServersCertificateIsSignedForLoopback() throws Exception {
        Certificates authority = Certificates.authority(folder);
        Certificates.Identity identity = authority.server("es").issue();
        X509Certificate certificate = read(identity.certificate());
        certificate.verify(read(authority.caCertificate()).getPublicKey());
        certificate.checkValidity();
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        assertThat(names).containsExactlyInAnyOrder(List.of(DNS_NAME, "localhost"), List.of(IP_ADDRESS, "127.0.0.1"));
        assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    }

    @Test
    void eachInvalidCertificateHasOneFault() throws Exception {
        Certificates authority = Certificates.authority(folder);
        X509Certificate expired = read(authority.server("old").expired().issue().certificate());
        assertThatThrownBy(expired::checkValidity).isInstanceOf(CertificateExpiredException.class);

        X509Certificate elsewhere =
                read(authority.server("elsewhere").hosts("example.org").issue().certificate());
        assertThat(elsewhere.getSubjectAlternativeNames()).containsExactly(List.of(DNS_NAME, "example.org"));

        Certificates other = Certificates.authority(folder.resolve("other"));
        X509Certificate stranger = read(other.server("es").issue().certificate());
        assertThatThrownBy(() -> stranger.verify(read(authority.caCertificate()).getPublicKey()))
                .isInstanceOf(SignatureException.class);
    }

    @Test
    void aClientsKeyStoreHoldsKeyAndChainAndItsKeyFilesAreSecret() throws Exception {
        Certificates authority = Certificates.authority(folder);
        Certificates.Identity identity = authority.client("connect").issue();
        char[] password = Certificates.STORE_PASSWORD.toCharArray();
        KeyStore store = KeyStore.getInstance(identity.keyStore().toFile(), password);
        assertThat(store.getKey("user", password)).isNotNull();
        assertThat(store.getCertificateChain("user")).hasSize(2);
        assertThat(read(identity.certificate()).getSubjectX500Principal()).hasToString("CN=connect");
        assertThat(Files.getPosixFilePermissions(identity.privateKey()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        KeyStore trust = KeyStore.getInstance(authority.trustStore().toFile(), password);
        assertThat(trust.isCertificateEntry("ca")).isTrue();
    }

    private static X509Certificate read(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
