package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class TlsSettingsTest {
    @Test
    void defaults() {
        assertThat(TlsSettings.from(Parsed.config(TlsSettings::define, Map.of())))
                .isEqualTo(new TlsSettings("", VerificationMode.FULL));
    }

    @Test
    void allKeys() {
        Map<String, String> props = Map.of("ssl.ca", " /etc/ca.pem\n", "ssl.verification.mode", "none");
        assertThat(TlsSettings.from(Parsed.config(TlsSettings::define, props)))
                .isEqualTo(new TlsSettings("/etc/ca.pem", VerificationMode.NONE))
                .hasToString("certificates from /etc/ca.pem, verification none");
    }
}
