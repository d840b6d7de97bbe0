package io.tidegate.connect.testkit.net;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** Writes keys and certificates in the formats that other programs read. Only the owner can read a key file. */
final class CertificateFiles {
    private static final char[] PASSWORD = Certificates.STORE_PASSWORD.toCharArray();
    private static final int PEM_WIDTH = 64;

    private final Path folder;

    CertificateFiles(Path folder) {
        this.folder = folder;
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    void writeAuthority(X509Certificate authority) {
        try {
            Files.writeString(file("ca.pem"), pem("CERTIFICATE", authority.getEncoded()));
            KeyStore store = emptyStore();
            store.setCertificateEntry("ca", authority);
            write(store, file("ca.p12"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Cannot write the authority's certificate to " + folder, e);
        }
    }

    Certificates.Identity writeIdentity(
            String name, KeyPair keys, X509Certificate certificate, X509Certificate authority) {
        Certificates.Identity identity = new Certificates.Identity(
                file(name + ".pem"), file(name + ".key"), file(name + ".pk8"), file(name + ".p12"));
        try {
            byte[] key = keys.getPrivate().getEncoded();
            Files.writeString(identity.certificate(), pem("CERTIFICATE", certificate.getEncoded()));
            Files.writeString(identity.privateKey(), pem("PRIVATE KEY", key));
            Files.write(identity.privateKeyDer(), key);
            KeyStore store = emptyStore();
            store.setKeyEntry("user", keys.getPrivate(), PASSWORD, new Certificate[] {certificate, authority});
            write(store, identity.keyStore());
            for (Path secret : new Path[] {identity.privateKey(), identity.privateKeyDer()}) {
                Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
            }
            return identity;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Cannot write " + name + " to " + folder, e);
        }
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, PASSWORD);
        return store;
    }

    private static void write(KeyStore store, Path file) throws GeneralSecurityException, IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD);
        }
    }

    private static String pem(String type, byte[] der) {
        String text = Base64.getMimeEncoder(PEM_WIDTH, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, text, type);
    }
}
