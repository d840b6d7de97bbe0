package io.tidegate.connect.common.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAKey;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.apache.kafka.common.config.ConfigException;

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
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;

    private PemPrivateKey() {}

    /**
     * Reads a key.
     *
     * @param certified the key in the certificate
     * @throws ConfigException with the reason when it cannot be read or does not belong to the certificate; never with a
     *     part of the key
     */
    static PrivateKey read(KeyMaterial key, PublicKey certified) {
        Matcher block = BLOCK.matcher(key.pem().orElse(""));
        if (!block.find()) {
            throw key.unusable("it holds no PEM block `-----BEGIN PRIVATE KEY-----`");
        }
        try {
            PrivateKey read =
                    parsed(block.group(1), block.group(2), key.password().value(), certified);
            if (isPair(read, certified)) {
                return read;
            }
        } catch (IllegalArgumentException e) {
            throw key.unusable(e.getMessage());
        }
        throw key.unusable("it is not the key of the certificate");
    }

    private static PrivateKey parsed(String type, String text, String password, PublicKey certified) {
        if (!type.startsWith(OPENSSL_ENCRYPTED) && text.contains(OPENSSL_ENCRYPTED)) {
            throw new IllegalArgumentException("it is encrypted in a format of OpenSSL's own, which Java cannot read;"
                    + " convert it with `openssl pkcs8 -topk8 -v2 aes-256-cbc -in OLD -out NEW`");
        }
        try {
            byte[] der = KeyMaterial.decoded(text);
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

    private static KeySpec decrypted(byte[] der, String password) throws GeneralSecurityException, IOException {
        if (password.isEmpty()) {
            throw new IllegalArgumentException("it is encrypted, and its password is not set");
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

    /** The identifier of algorithm and curve at the start of a public key (RFC 5280, 4.1.2.7), shorter than 128 bytes. */
    private static byte[] algorithmOf(PublicKey key) {
        byte[] info = key.getEncoded();
        int from = info[1] >= 0 ? 2 : 2 + (info[1] & 0x7f);
        return Arrays.copyOfRange(info, from, from + 2 + info[from + 1]);
    }

    /** Makes a DER element. A key is shorter than 64 KB. */
    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        element.write(tag);
        if (content.length > 0xff) {
            element.write(0x82); // a length of two bytes
            element.write(content.length >> 8);
        } else if (content.length > 0x7f) {
            element.write(0x81);
        }
        element.write(content.length);
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
