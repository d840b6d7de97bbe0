package io.tidegate.connect.common.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PemPrivateKeyTest {
    private static final int PKCS8_HEADER_BYTES = 26;

    private static final KeyPair KEYS = rsa();

    @Test
    void readsPkcs8() {
        String pem = pem("PRIVATE KEY", KEYS.getPrivate().getEncoded());
        assertThat(read(pem, "", KEYS.getPublic())).isEqualTo(KEYS.getPrivate());
    }

    @Test
    void readsPkcs1() {
        byte[] pkcs8 = KEYS.getPrivate().getEncoded();
        byte[] pkcs1 = Arrays.copyOfRange(pkcs8, PKCS8_HEADER_BYTES, pkcs8.length);
        assertThat(read(pem("RSA PRIVATE KEY", pkcs1), "", KEYS.getPublic())).isEqualTo(KEYS.getPrivate());
    }

    @Test
    void readsEncryptedKeys() throws Exception {
        String pem = pem("ENCRYPTED PRIVATE KEY", encrypted(KEYS, "opens it"));
        assertThat(read(pem, "opens it", KEYS.getPublic())).isEqualTo(KEYS.getPrivate());
        assertThatThrownBy(() -> read(pem, "", KEYS.getPublic()))
                .hasMessage("ssl.key cannot be used: it is encrypted, and its password is not set");
        assertThatThrownBy(() -> read(pem, "another", KEYS.getPublic()))
                .hasMessageContaining("or the password is wrong")
                .hasMessageNotContaining("another");
    }

    @ParameterizedTest
    @ValueSource(strings = {"secp256r1", "secp384r1", "secp521r1"})
    void readsSec1(String curve) throws Exception {
        KeyPair pair = ec(curve);
        String pem = pem("EC PARAMETERS", new byte[3]) + pem("EC PRIVATE KEY", sec1(pair));
        assertThat(read(pem, "", pair.getPublic())).isEqualTo(pair.getPrivate());
    }

    @Test
    void readsEdwardsCurves() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        assertThat(read(pem("PRIVATE KEY", pair.getPrivate().getEncoded()), "", pair.getPublic()))
                .isEqualTo(pair.getPrivate());
    }

    @Test
    void refusesTheKeyOfAnotherCertificate() {
        String pem = pem("PRIVATE KEY", KEYS.getPrivate().getEncoded());
        assertThatThrownBy(() -> read(pem, "", rsa().getPublic()))
                .hasMessage("ssl.key cannot be used: it is not the key of the certificate");
        KeyPair pair = ec("secp256r1");
        String other = pem("PRIVATE KEY", pair.getPrivate().getEncoded());
        assertThatThrownBy(() -> read(other, "", ec("secp256r1").getPublic()))
                .hasMessage("ssl.key cannot be used: it is not the key of the certificate");
        assertThatThrownBy(() -> read(other, "", ec("secp384r1").getPublic()))
                .hasMessage("ssl.key cannot be used: it is not the key of the certificate");
    }

    @Test
    void saysHowToConvertAKeyThatOpenSslEncryptedInItsOwnFormat() {
        String pem = """
                -----BEGIN RSA PRIVATE KEY-----
                Proc-Type: 4,ENCRYPTED
                DEK-Info: AES-256-CBC,0011

                AAAA
                -----END RSA PRIVATE KEY-----
                """;
        assertThatThrownBy(() -> read(pem, "secret", KEYS.getPublic()))
                .hasMessageContaining("openssl pkcs8 -topk8")
                .hasMessageNotContaining("secret");
    }

    @Test
    void saysWhatItCannotRead() {
        assertThatThrownBy(() -> read(
                        pem("EC PRIVATE KEY", BigInteger.TEN.toByteArray()),
                        "",
                        ec("secp256r1").getPublic()))
                .hasMessageContaining("algorithm EC");
        assertThatThrownBy(() -> read(pem("PRIVATE KEY", BigInteger.TEN.toByteArray()), "", KEYS.getPublic()))
                .hasMessageContaining("algorithm RSA");
        assertThatThrownBy(() -> read(pem("CERTIFICATE", new byte[3]), "", KEYS.getPublic()))
                .hasMessageContaining("holds no PEM block");
        assertThatThrownBy(() -> read("/no/such/file", "", KEYS.getPublic()))
                .hasMessage("ssl.key cannot be used: the file cannot be read: NoSuchFileException");
    }

    private static PrivateKey read(String key, String password, PublicKey certified) {
        return PemPrivateKey.read(new KeyMaterial("ssl.key", key, new Password(password)), certified);
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

    private static KeyPair ec(String curve) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(curve));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** What PKCS#8 has in its last element, an OCTET STRING. */
    private static byte[] sec1(KeyPair pair) {
        byte[] pkcs8 = pair.getPrivate().getEncoded();
        int at = 0;
        while (!(pkcs8[at] == 0x04 && at + 2 + (pkcs8[at + 1] & 0xff) == pkcs8.length)) {
            at++;
        }
        return Arrays.copyOfRange(pkcs8, at + 2, pkcs8.length);
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
