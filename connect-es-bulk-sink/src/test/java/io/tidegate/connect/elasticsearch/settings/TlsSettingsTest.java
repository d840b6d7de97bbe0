package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.settings.Problem;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsSettingsTest {
    private static final Password NO_PASSWORD = new Password("");
    private static final String FINGERPRINT = "0123456789abcdef".repeat(4);

    @Test
    void defaults() {
        StoreFile none = new StoreFile("", NO_PASSWORD, "PKCS12");
        assertThat(settings(Map.of()))
                .isEqualTo(new TlsSettings(
                        "", "", none, VerificationMode.FULL, new PemIdentity("", NO_PASSWORD, NO_PASSWORD), none))
                .hasToString("certificates from the JVM, verification full");
    }

    @Test
    void allKeys() {
        Map<String, String> props = Map.ofEntries(
                Map.entry("ssl.ca", " /etc/ca.pem\n"),
                Map.entry("ssl.ca.fingerprint", FINGERPRINT.toUpperCase(Locale.ROOT)),
                Map.entry("ssl.truststore.location", "/etc/trust.jks"),
                Map.entry("ssl.truststore.password", "a"),
                Map.entry("ssl.truststore.type", "JKS"),
                Map.entry("ssl.verification.mode", "none"),
                Map.entry("ssl.certificate", "/etc/me.pem"),
                Map.entry("ssl.key", "/etc/me.key"),
                Map.entry("ssl.key.password", "b"),
                Map.entry("ssl.keystore.location", "/etc/me.p12"),
                Map.entry("ssl.keystore.password", "c"),
                Map.entry("ssl.keystore.type", "BKS"));
        assertThat(settings(props))
                .isEqualTo(new TlsSettings(
                        "/etc/ca.pem",
                        FINGERPRINT,
                        new StoreFile("/etc/trust.jks", new Password("a"), "JKS"),
                        VerificationMode.NONE,
                        new PemIdentity("/etc/me.pem", new Password("/etc/me.key"), new Password("b")),
                        new StoreFile("/etc/me.p12", new Password("c"), "BKS")));
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
        assertThat(settings(props).problems())
                .singleElement()
                .returns(key, Problem::key)
                .satisfies(problem -> assertThat(problem.message()).contains(reason));
    }

    private static TlsSettings settings(Map<String, String> props) {
        return TlsSettings.from(Parsed.config(TlsSettings::define, props));
    }
}
