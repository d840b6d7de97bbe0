package io.tidegate.connect.elasticsearch.client.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** A private key in PEM: PKCS#8 (RFC 5958), encrypted or not, or PKCS#1 for RSA (RFC 8017), as Elasticsearch's tool writes it. */
final class PemPrivateKey {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ((?:ENCRYPTED |RSA |EC )?PRIVATE KEY)-----([^-]*)-----END");

    /** PKCS#8's version 0 and algorithm identifier of RSA, which PKCS#1 leaves out. */
    private static final byte[] RSA_HEADER = {
        0x02,
        0x01,
        0x00,
        0x30,
        0x0d,
        0x06,
        0x09,
        0x2a,
        (byte) 0x86,
        0x48,
        (byte) 0x86,
        (byte) 0xf7,
        0x0d,
        0x01,
        0x01,
        0x01,
        0x05,
        0x00
    };

    private static final byte SEQUENCE = 0x30;
    private static final byte OCTET_STRING = 0x04;

    private PemPrivateKey() {}

    /**
     * Reads a key.
     *
     * @param key the path of a file, or the text itself
     * @param algorithm of the certificate's key
     * @throws IllegalArgumentException with the reason when it cannot be read; never with a part of the key
     */
    static PrivateKey read(String key, String password, String algorithm) {
        Matcher block = BLOCK.matcher(key.contains("-----BEGIN") ? key : textOf(key));
        if (!block.find()) {
            throw new IllegalArgumentException("it holds no PEM block `-----BEGIN PRIVATE KEY-----`");
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(block.group(2).replace("\\n", "\n"));
            KeySpec spec =
                    switch (block.group(1)) {
                        case "ENCRYPTED PRIVATE KEY" -> decrypted(der, password);
                        case "RSA PRIVATE KEY" -> new PKCS8EncodedKeySpec(pkcs8OfRsa(der));
                        case "EC PRIVATE KEY" ->
                            throw new IllegalArgumentException(
                                    "it is in SEC 1 format; turn it into PKCS#8 with `openssl pkcs8"
                                            + " -topk8 -nocrypt`");
                        default -> new PKCS8EncodedKeySpec(der);
                    };
            return KeyFactory.getInstance(algorithm).generatePrivate(spec);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("it cannot be read as a key of the certificate's algorithm " + algorithm
                    + (password.isEmpty() ? "" : ", or the password is wrong"));
        }
    }

    private static String textOf(String path) {
        try {
            return Files.readString(Path.of(path.trim()), StandardCharsets.ISO_8859_1);
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException(
                    "the file cannot be read: " + e.getClass().getSimpleName());
        }
    }

    private static KeySpec decrypted(byte[] der, String password) throws GeneralSecurityException, IOException {
        if (password.isEmpty()) {
            throw new IllegalArgumentException("it is encrypted, and ssl.key.password is not set");
        }
        EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(der);
        String scheme = info.getAlgParameters().toString(); // the JDK's name of a scheme such as PBES2 with its parts
        SecretKeyFactory keys = SecretKeyFactory.getInstance(scheme);
        Cipher cipher = Cipher.getInstance(scheme);
        cipher.init(
                Cipher.DECRYPT_MODE,
                keys.generateSecret(new PBEKeySpec(password.toCharArray())),
                info.getAlgParameters());
        return info.getKeySpec(cipher);
    }

    private static byte[] pkcs8OfRsa(byte[] pkcs1) {
        ByteArrayOutputStream inner = new ByteArrayOutputStream();
        inner.writeBytes(RSA_HEADER);
        inner.writeBytes(element(OCTET_STRING, pkcs1));
        return element(SEQUENCE, inner.toByteArray());
    }

    /** An element of DER with a length of two bytes, which every RSA key has. */
    private static byte[] element(byte tag, byte[] content) {
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        element.write(tag);
        element.write(0x82);
        element.write(content.length >> 8);
        element.write(content.length);
        element.writeBytes(content);
        return element.toByteArray();
    }
}
