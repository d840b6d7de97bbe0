package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConnectionSettingsTest {
    @Test
    void defaults() {
        assertThat(settings(Map.of("connection.url", "http://localhost:9200")))
                .isEqualTo(new ConnectionSettings(
                        List.of(URI.create("http://localhost:9200")),
                        new Credentials.Anonymous(),
                        TlsSettings.from(Parsed.config(TlsSettings::define, Map.of())),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(60),
                        100,
                        false,
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(5),
                        ServerProduct.AUTO));
    }

    @Test
    void allKeys() {
        Map<String, String> props = new HashMap<>();
        props.put("connection.url", "https://es1:9200/es/, https://es2:9200/es");
        props.put("connection.username", "tide");
        props.put("connection.password", "secret");
        props.put("connection.timeout.ms", "1");
        props.put("read.timeout.ms", "2");
        props.put("connection.pool.max.size", "3");
        props.put("connection.compression", "true");
        props.put("connection.max.idle.ms", "4");
        props.put("connection.max.lifetime.ms", "5");
        props.put("server.product", "OpenSearch");
        props.put("ssl.ca", "/ca.pem");
        props.put("ssl.verification.mode", "certificate");
        assertThat(settings(props))
                .isEqualTo(new ConnectionSettings(
                        List.of(URI.create("https://es1:9200/es"), URI.create("https://es2:9200/es")),
                        new Credentials.Basic("tide", new Password("secret")),
                        TlsSettings.from(Parsed.config(
                                TlsSettings::define,
                                Map.of("ssl.ca", "/ca.pem", "ssl.verification.mode", "certificate"))),
                        Duration.ofMillis(1),
                        Duration.ofMillis(2),
                        3,
                        true,
                        Duration.ofMillis(4),
                        Duration.ofMillis(5),
                        ServerProduct.OPENSEARCH));
    }

    @Test
    void takesAnApiKeyInBothForms() {
        assertThat(credentials("encoded==").authorization()).contains("ApiKey encoded==");
        assertThat(credentials("id:key").authorization()).contains("ApiKey aWQ6a2V5");
        assertThat(credentials(" encoded==\n").authorization()).contains("ApiKey encoded==");
        assertThat(settings(Map.of("connection.url", "https://es1", "connection.bearer.token", "token\n"))
                        .credentials()
                        .authorization())
                .contains("Bearer token");
        assertThat(new Credentials.Basic("tide", new Password("secret")).authorization())
                .contains("Basic dGlkZTpzZWNyZXQ=");
        assertThat(new Credentials.Anonymous().authorization()).isEmpty();
    }

    @Test
    void showsNoSecret() {
        Map<String, String> props =
                Map.of("connection.url", "https://es1", "connection.username", "tide", "connection.password", "secret");
        assertThat(settings(props).toString()).contains("https://es1", "tide").doesNotContain("secret");
        assertThat(credentials("id:hush").toString()).doesNotContain("hush");
    }

    @ParameterizedTest
    @CsvSource({
        "ftp://host, a URL must start with http",
        "http://, ''",
        "http://user:pass@host, must not hold credentials",
        "http://host?a=b, must end with its path",
        "'http://a/x,http://b/y', all URLs must have the same path",
        "'', at least one URL is needed"
    })
    void refusesUrlsThatNameNoNode(String urls, String reason) {
        assertThatThrownBy(() -> settings(Map.of("connection.url", urls)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("connection.url")
                .hasMessageContaining(reason);
    }

    private static Credentials credentials(String apiKey) {
        return settings(Map.of("connection.url", "https://es1", "connection.api.key", apiKey))
                .credentials();
    }

    private static ConnectionSettings settings(Map<String, String> props) {
        return ConnectionSettings.from(Parsed.config(ConnectionSettingsTest::define, props));
    }

    private static ConfigDef define(ConfigDef def) {
        return TlsSettings.define(ConnectionSettings.define(def));
    }
}
