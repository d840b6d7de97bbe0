package io.tidegate.connect.common.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.testkit.net.Certificates;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which stores, certificates and keys are usable. */
final class TlsTest {
    @TempDir
    private Path folder;

    private Certificates authority;
    private Certificates.Identity client;

    @BeforeEach
    void issue() {
        authority = Certificates.authority(folder);
        client = authority.client("tide").issue();
    }

    @Test
    void refusesATrustStoreThatIsEmptyWithoutItsPassword() {
        TlsSettings settings =
                settings("ssl.truststore.location", authority.trustStore().toString());

        assertThatThrownBy(() -> Trusted.of(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "holds no certificate that can be read without a password: set ssl.truststore.password");
        Trusted.of(settings(
                "ssl.truststore.location",
                authority.trustStore().toString(),
                "ssl.truststore.password",
                Certificates.STORE_PASSWORD));
    }

    @Test
    void refusesStoresWithNothingInThem() throws Exception {
        Path empty = folder.resolve("empty.p12");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (OutputStream out = Files.newOutputStream(empty)) {
            store.store(out, Certificates.STORE_PASSWORD.toCharArray());
        }

        assertThatThrownBy(() -> Trusted.of(settings(
                        "ssl.truststore.location",
                        empty.toString(),
                        "ssl.truststore.password",
                        Certificates.STORE_PASSWORD)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nobody would be trusted");
        assertThatThrownBy(() -> keys(settings(
                        "ssl.keystore.location",
                        empty.toString(),
                        "ssl.keystore.password",
                        Certificates.STORE_PASSWORD)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("holds no key");
    }

    @Test
    void refusesAStoreWhoseKeyHasAnotherPassword() {
        assertThatThrownBy(() -> keys(settings(
                        "ssl.keystore.location",
                        client.keyStore().toString(),
                        "ssl.keystore.password",
                        Certificates.STORE_PASSWORD,
                        "ssl.key.password",
                        "another")))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("ssl.keystore.location cannot be used: ")
                .hasMessageNotContaining("another");
    }

    /** The JDK's own formats: its stores say which one they have. */
    @ParameterizedTest
    @ValueSource(strings = {"JKS", "PKCS12"})
    void readsStoresOfAnyType(String type) throws Exception {
        Path file = folder.resolve("store");
        KeyStore store = KeyStore.getInstance(type);
        store.load(null, null);
        KeyStore.PasswordProtection protection =
                new KeyStore.PasswordProtection(Certificates.STORE_PASSWORD.toCharArray());
        KeyStore from = KeyStore.getInstance(client.keyStore().toFile(), Certificates.STORE_PASSWORD.toCharArray());
        String alias = from.aliases().nextElement();
        store.setEntry(alias, from.getEntry(alias, protection), protection);
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, Certificates.STORE_PASSWORD.toCharArray());
        }

        assertThat(keys(settings(
                                "ssl.keystore.location",
                                file.toString(),
                                "ssl.keystore.password",
                                Certificates.STORE_PASSWORD))
                        .certificates())
                .hasSize(1);
        assertThat(Trusted.of(settings(
                                "ssl.truststore.location",
                                file.toString(),
                                "ssl.truststore.password",
                                Certificates.STORE_PASSWORD))
                        .authorities())
                .hasSize(1);
    }

    @Test
    void readsPemFilesAsStoresLikeKafkasOwnClients() throws IOException {
        Path both = Files.writeString(
                folder.resolve("both.pem"),
                Files.readString(client.privateKey()) + Files.readString(client.certificate()));
        TlsSettings settings = settings(
                "ssl.truststore.location",
                authority.caCertificate().toString(),
                "ssl.keystore.location",
                both.toString());

        assertThat(Trusted.of(settings).description()).startsWith("ssl.truststore.location `CN=Testkit authority");
        assertThat(keys(settings).certificates())
                .extracting(certificate -> certificate.getSubjectX500Principal().getName())
                .containsExactly("CN=tide");
    }

    @Test
    void refusesAKeyOfAnotherCertificate() {
        Certificates.Identity other = authority.client("other").issue();

        assertThatThrownBy(() -> keys(pair(client.certificate(), other.privateKey())))
                .isInstanceOf(ConfigException.class)
                .hasMessage("ssl.key cannot be used: it is not the key of the certificate");
    }

    @Test
    void keepsTheGoodPairWhileOnlyOneFileOfTheNextOneIsThere() throws IOException {
        Path certificate = Files.copy(client.certificate(), folder.resolve("used.pem"));
        Path key = Files.copy(client.privateKey(), folder.resolve("used.key"));
        TlsSettings settings = pair(certificate, key);
        Reloading<ClientKeys> keys = new Reloading<>(List.of(certificate, key), () -> keys(settings));
        ClientKeys first = keys.get();
        Certificates.Identity next = authority.client("tide-with-a-longer-name").issue();

        Files.copy(next.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
        assertThat(keys.get()).isSameAs(first);

        Files.delete(key);
        assertThat(keys.get()).isSameAs(first);
        Files.copy(next.privateKey(), key);
        assertThat(keys.get().certificates())
                .extracting(each -> each.getSubjectX500Principal().getName())
                .containsExactly("CN=tide-with-a-longer-name");
    }

    private static ClientKeys keys(TlsSettings settings) {
        return ClientKeys.of(settings.certificate(), settings.key());
    }

    private static TlsSettings pair(Path certificate, Path key) {
        return settings("ssl.certificate", certificate.toString(), "ssl.key", key.toString());
    }

    private static TlsSettings settings(String... keysAndValues) {
        Map<String, String> props = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            props.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return TlsSettings.from(new AbstractConfig(TlsSettings.define(new ConfigDef()), props, false));
    }
}
