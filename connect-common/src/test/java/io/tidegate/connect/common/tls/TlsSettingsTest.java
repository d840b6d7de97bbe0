package io.tidegate.connect.common.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.settings.Problem;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsSettingsTest {
    private static final String FINGERPRINT = "0123456789abcdef".repeat(4);

    @Test
    void defaults() {
        assertThat(settings(Map.of()))
                .isEqualTo(new TlsSettings(
                        material("ssl.ca", "", ""),
                        "",
                        VerificationMode.FULL,
                        material("ssl.certificate", "", ""),
                        material("ssl.key", "", "")))
                .hasToString("certificates from the JVM, verification full");
    }

    @Test
    void allKeysOfStores() {
        Map<String, String> props = Map.of(
                "ssl.ca.fingerprint", FINGERPRINT.toUpperCase(Locale.ROOT),
                "ssl.truststore.location", "/etc/trust.jks\n",
                "ssl.truststore.password", "a",
                "ssl.verification.mode", "none",
                "ssl.key.password", "b",
                "ssl.keystore.location", "/etc/me.p12",
                "ssl.keystore.password", "c");
        assertThat(settings(props))
                .isEqualTo(new TlsSettings(
                        material("ssl.truststore.location", "/etc/trust.jks", "a"),
                        FINGERPRINT,
                        VerificationMode.NONE,
                        material("ssl.keystore.location", "/etc/me.p12", "c"),
                        material("ssl.keystore.location", "/etc/me.p12", "b")));
    }

    @Test
    void allKeysOfPem() {
        Map<String, String> props = Map.of(
                "ssl.ca", " /etc/ca.pem\n",
                "ssl.certificate", "/etc/me.pem",
                "ssl.key", "/etc/me.key",
                "ssl.key.password", "b");
        assertThat(settings(props))
                .isEqualTo(new TlsSettings(
                        material("ssl.ca", "/etc/ca.pem", ""),
                        "",
                        VerificationMode.FULL,
                        material("ssl.certificate", "/etc/me.pem", ""),
                        material("ssl.key", "/etc/me.key", "b")))
                .hasToString("certificates from /etc/ca.pem, verification full, a client certificate");
    }

    @Test
    void aKeyHasThePasswordOfItsStoreUnlessItHasItsOwn() {
        assertThat(settings(Map.of("ssl.keystore.location", "/etc/me.p12", "ssl.keystore.password", "c"))
                        .key()
                        .password())
                .isEqualTo(new Password("c"));
    }

    private static KeyMaterial material(String setting, String source, String password) {
        return new KeyMaterial(setting, source, new Password(password));
    }

    @Test
    void takesFingerprintsWithColons() {
        assertThat(settings(Map.of(
                                "ssl.ca.fingerprint", "01:23:45:67:89:AB:CD:EF" + ":01:23:45:67:89:ab:cd:ef".repeat(3)))
                        .caFingerprint())
                .isEqualTo(FINGERPRINT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0123", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdeg"})
    void refusesWhatIsNoFingerprint(String text) {
        assertThatThrownBy(() -> settings(Map.of("ssl.ca.fingerprint", text)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("ssl.ca.fingerprint")
                .hasMessageContaining("64 hexadecimal digits");
    }

    @ParameterizedTest
    @CsvSource({
        "ssl.ca=a ssl.truststore.location=b, ssl.ca, set one of",
        "ssl.certificate=a, ssl.key, go together",
        "ssl.key=a, ssl.certificate, go together",
        "ssl.certificate=a ssl.key=b ssl.keystore.location=c, ssl.certificate, set one of"
    })
    void saysWhatDoesNotGoTogether(String settings, String key, String reason) {
        Map<String, String> props = new HashMap<>();
        for (String setting : settings.split(" ", -1)) {
            int equals = setting.indexOf('=');
            props.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        assertThat(TlsSettings.problems(config(props)))
                .singleElement()
                .returns(key, Problem::key)
                .satisfies(problem -> assertThat(problem.message()).contains(reason));
    }

    private static TlsSettings settings(Map<String, String> props) {
        return TlsSettings.from(config(props));
    }

    private static AbstractConfig config(Map<String, String> props) {
        return new AbstractConfig(TlsSettings.define(new ConfigDef()), props, false);
    }
}
