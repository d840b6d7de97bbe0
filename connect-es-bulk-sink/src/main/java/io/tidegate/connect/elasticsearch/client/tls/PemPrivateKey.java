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
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAKey;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A private key in PEM: PKCS#8 (RFC 5958), encrypted or not; PKCS#1 for RSA (RFC 8017), as Elasticsearch's tool writes
 * it; SEC 1 for elliptic curves (RFC 5915), as {@code openssl ecparam} writes it.
 */
final class PemPrivateKey {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ((?:ENCRYPTED |RSA |EC )?PRIVATE KEY)-----(.*?)-----END", Pattern.DOTALL);

    /** The word with which OpenSSL's own format marks an encrypted key (RFC 1421, 4.6.1.1). */
    private static final String OPENSSL_ENCRYPTED = "ENCRYPTED";

    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
    private static final byte SEQUENCE = 0x30;
    private static final byte OCTET_STRING = 0x04;
    private static final int LONG_LENGTH = 0x80;

    private PemPrivateKey() {}

    /**
     * Reads a key.
     *
     * @param key the path of a file, or the text of the key
     * @param certified the key in the certificate
     * @throws IllegalArgumentException with the reason when it cannot be read or does not belong to the certificate;
     *     never with a part of the key
     */
    static PrivateKey read(String key, String password, PublicKey certified) {
        Matcher block = BLOCK.matcher(key.contains("-----BEGIN") ? key : textOf(key));
        if (!block.find()) {
            throw new IllegalArgumentException("it holds no PEM block `-----BEGIN PRIVATE KEY-----`");
        }
        PrivateKey read = parsed(block.group(1), block.group(2), password, certified);
        if (!isPair(read, certified)) {
            throw new IllegalArgumentException("it is not the key of the certificate");
        }
        return read;
    }

    private static PrivateKey parsed(String type, String text, String password, PublicKey certified) {
        if (!type.startsWith(OPENSSL_ENCRYPTED) && text.contains(OPENSSL_ENCRYPTED)) {
            throw new IllegalArgumentException("it is encrypted in a format of OpenSSL's own, which Java cannot read;"
                    + " convert it with `openssl pkcs8 -topk8 -v2 aes-256-cbc -in OLD -out NEW`");
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(text.replace("\\n", "\n"));
            KeySpec spec =
                    switch (type) {
                        case "ENCRYPTED PRIVATE KEY" -> decrypted(der, password);
                        case "RSA PRIVATE KEY", "EC PRIVATE KEY" ->
                            new PKCS8EncodedKeySpec(pkcs8(der, algorithmOf(certified)));
                        default -> new PKCS8EncodedKeySpec(der);
                    };
            return KeyFactory.getInstance(certified.getAlgorithm()).generatePrivate(spec);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("it cannot be read as a key of the certificate's algorithm "
                    + certified.getAlgorithm() + (password.isEmpty() ? "" : ", or the password is wrong"));
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

    /** Converts a key in the format of its algorithm to PKCS#8. */
    private static byte[] pkcs8(byte[] key, byte[] algorithm) {
        ByteArrayOutputStream inner = new ByteArrayOutputStream();
        inner.writeBytes(VERSION_0);
        inner.writeBytes(algorithm);
        inner.writeBytes(element(OCTET_STRING, key));
        return element(SEQUENCE, inner.toByteArray());
    }

    /** The identifier of algorithm and curve at the start of a public key (RFC 5280, 4.1.2.7). */
    private static byte[] algorithmOf(PublicKey key) {
        byte[] info = key.getEncoded();
        int from = contentOf(info, 0);
        return Arrays.copyOfRange(info, from, endOf(info, from));
    }

    /** The index at which the content of a DER element starts. */
    private static int contentOf(byte[] der, int element) {
        int length = der[element + 1] & 0xff;
        return element + 2 + (length < LONG_LENGTH ? 0 : length - LONG_LENGTH);
    }

    private static int endOf(byte[] der, int element) {
        int from = contentOf(der, element);
        int length = der[element + 1] & 0xff;
        if (length >= LONG_LENGTH) {
            length = 0;
            for (int at = element + 2; at < from; at++) {
                length = (length << 8) | (der[at] & 0xff);
            }
        }
        return from + length;
    }

    /** Makes a DER element. A key is shorter than 64 KB. */
    private static byte[] element(byte tag, byte[] content) {
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        element.write(tag);
        if (content.length < LONG_LENGTH) {
            element.write(content.length);
        } else if (content.length <= 0xff) {
            element.write(LONG_LENGTH + 1);
            element.write(content.length);
        } else {
            element.write(LONG_LENGTH + 2);
            element.write(content.length >> 8);
            element.write(content.length);
        }
        element.writeBytes(content);
        return element.toByteArray();
    }

    /** Whether the public key verifies a signature of the private key. */
    private static boolean isPair(PrivateKey key, PublicKey certified) {
        if (key instanceof RSAKey mine && certified instanceof RSAKey theirs) {
            return mine.getModulus().equals(theirs.getModulus());
        }
        try {
            Signature signature = Signature.getInstance(
                    certified.getAlgorithm().equals("EC") ? "SHA256withECDSA" : certified.getAlgorithm());
            signature.initSign(key);
            signature.update(VERSION_0);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(VERSION_0);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false; // for example with two different curves
        }
    }
}
