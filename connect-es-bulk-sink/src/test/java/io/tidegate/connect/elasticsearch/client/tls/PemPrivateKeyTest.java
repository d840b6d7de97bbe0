package io.tidegate.connect.elasticsearch.client.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.Test;

final class PemPrivateKeyTest {
    private static final int PKCS8_HEADER_BYTES = 26;

    private final KeyPair keys = rsa();

    @Test
    void readsPkcs8() {
        String pem = pem("PRIVATE KEY", keys.getPrivate().getEncoded());
        assertThat(PemPrivateKey.read(pem, "", "RSA")).isEqualTo(keys.getPrivate());
    }

    @Test
    void readsPkcs1() {
        byte[] pkcs8 = keys.getPrivate().getEncoded();
        byte[] pkcs1 = Arrays.copyOfRange(pkcs8, PKCS8_HEADER_BYTES, pkcs8.length);
        assertThat(PemPrivateKey.read(pem("RSA PRIVATE KEY", pkcs1), "", "RSA")).isEqualTo(keys.getPrivate());
    }

    @Test
    void readsEncryptedKeys() throws Exception {
        String pem = pem("ENCRYPTED PRIVATE KEY", encrypted(keys, "opens it"));
        assertThat(PemPrivateKey.read(pem, "opens it", "RSA")).isEqualTo(keys.getPrivate());
        assertThatThrownBy(() -> PemPrivateKey.read(pem, "", "RSA"))
                .hasMessage("it is encrypted, and ssl.key.password is not set");
        assertThatThrownBy(() -> PemPrivateKey.read(pem, "another", "RSA"))
                .hasMessageContaining("or the password is wrong")
                .hasMessageNotContaining("another");
    }

    @Test
    void saysWhatItCannotRead() {
        assertThatThrownBy(() -> PemPrivateKey.read(pem("EC PRIVATE KEY", BigInteger.TEN.toByteArray()), "", "EC"))
                .hasMessageContaining("openssl pkcs8");
        assertThatThrownBy(() -> PemPrivateKey.read(pem("PRIVATE KEY", BigInteger.TEN.toByteArray()), "", "RSA"))
                .hasMessageContaining("algorithm RSA");
        assertThatThrownBy(() -> PemPrivateKey.read(pem("CERTIFICATE", new byte[3]), "", "RSA"))
                .hasMessageContaining("holds no PEM block");
        assertThatThrownBy(() -> PemPrivateKey.read(Path.of("/no/such/file").toString(), "", "RSA"))
                .hasMessage("the file cannot be read: NoSuchFileException");
    }

    private static KeyPair rsa() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] encrypted(KeyPair keys, String password) throws Exception {
        String scheme = "PBEWithHmacSHA256AndAES_256";
        Cipher cipher = Cipher.getInstance(scheme);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance(scheme).generateSecret(new PBEKeySpec(password.toCharArray())));
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2"); // the name that has a number
        parameters.init(cipher.getParameters().getEncoded());
        return new EncryptedPrivateKeyInfo(
                        parameters, cipher.doFinal(keys.getPrivate().getEncoded()))
                .getEncoded();
    }

    private static String pem(String type, byte[] der) {
        return "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + type
                + "-----\n";
    }
}
