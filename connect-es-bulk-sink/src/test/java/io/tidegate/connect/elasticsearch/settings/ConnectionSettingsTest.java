package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.credentials.Credentials;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.tls.TlsSettings;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectionSettingsTest {
    @Test
    void defaults() {
        assertThat(settings(Map.of("connection.url", "http://localhost:9200")))
                .isEqualTo(new ConnectionSettings(
                        List.of(URI.create("http://localhost:9200")),
                        Credentials.ANONYMOUS,
                        TlsSettings.from(Parsed.config(TlsSettings::define, Map.of())),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(60),
                        100,
                        false,
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(5),
                        ServerProduct.ELASTICSEARCH,
                        Optional.empty(),
                        new ExtraHeaders(new Password(""))));
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
        props.put("proxy.host", "proxy");
        props.put("proxy.port", "3128");
        props.put("proxy.username", "me");
        props.put("proxy.password", "hush");
        props.put("http.headers", "X-Tenant: tides");
        props.put("ssl.ca", "/ca.pem");
        props.put("ssl.verification.mode", "certificate");
        assertThat(settings(props))
                .isEqualTo(new ConnectionSettings(
                        List.of(URI.create("https://es1:9200/es"), URI.create("https://es2:9200/es")),
                        Credentials.basic("tide", new Password("secret")),
                        TlsSettings.from(Parsed.config(
                                TlsSettings::define,
                                Map.of("ssl.ca", "/ca.pem", "ssl.verification.mode", "certificate"))),
                        Duration.ofMillis(1),
                        Duration.ofMillis(2),
                        3,
                        true,
                        Duration.ofMillis(4),
                        Duration.ofMillis(5),
                        ServerProduct.OPENSEARCH,
                        Optional.of(new ProxySettings("proxy", 3128, "me", new Password("hush"))),
                        new ExtraHeaders(new Password("X-Tenant: tides"))));
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
        assertThat(Credentials.basic("tide", new Password("secret")).authorization())
                .contains("Basic dGlkZTpzZWNyZXQ=");
        assertThat(Credentials.ANONYMOUS.authorization()).isEmpty();
    }

    @Test
    void showsNoSecret() {
        Map<String, String> props =
                Map.of("connection.url", "https://es1", "connection.username", "tide", "connection.password", "secret");
        assertThat(settings(props).toString()).contains("https://es1", "tide").doesNotContain("secret");
        assertThat(credentials("id:hush").toString()).doesNotContain("hush");
        ConnectionSettings proxied = settings(Map.of(
                "connection.url", "https://es1",
                "proxy.host", "proxy",
                "proxy.username", "me",
                "proxy.password", "hush",
                "http.headers", "X-Key: whisper"));
        assertThat(List.of(
                        proxied.nodes(),
                        proxied.proxy().orElseThrow().toString(),
                        proxied.headers().toString()))
                .containsExactly(
                        "https://es1 through the proxy proxy:8080", "proxy proxy:8080 as me", "headers [X-Key]");
    }

    @ParameterizedTest
    @CsvSource({
        "ftp://host, a URL starts with http",
        "http://, ''",
        "http://user:pass@host, connection.username and connection.password",
        "http://host?a=b, has only a host",
        "'http://a/x,http://b/y', all URLs must have the same path"
    })
    void refusesUrlsThatNameNoNode(String urls, String reason) {
        assertThatThrownBy(() -> settings(Map.of("connection.url", urls)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("connection.url")
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', connection.url, at least one URL is needed",
        "https://es1, 'tides:ZXhhbXBsZS5jb20kZXM=', cloud.id, set one of the two"
    })
    void needsUrlsOrACloudId(String urls, String cloudId, String key, String message) {
        assertThat(problems(Map.of("connection.url", urls, "cloud.id", cloudId)))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.key()).isEqualTo(key);
                    assertThat(problem.message()).contains(message);
                });
    }

    @ParameterizedTest
    @CsvSource({
        "eu.example.com$es$kibana, https://es.eu.example.com:443",
        "eu.example.com:9243$es$kibana, https://es.eu.example.com:9243",
        "eu.example.com:9243$es:9244$, https://es.eu.example.com:9244",
        "eu.example.com$es, https://es.eu.example.com:443"
    })
    void readsTheAddressInACloudId(String text, String url) {
        String base64 = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        assertThat(settings(Map.of("cloud.id", "My tides:" + base64)).urls()).containsExactly(URI.create(url));
        assertThat(settings(Map.of("cloud.id", base64)).nodes()).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tides", "tides:no base64!", "tides:aG9zdA==", "tides:JGVzJA==", "tides:aG9zdCQuLi4="})
    void refusesOtherTextsAsACloudId(String id) {
        assertThatThrownBy(() -> settings(Map.of("cloud.id", id)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cloud.id")
                .hasMessageContaining("as the deployment's page shows it");
    }

    @ParameterizedTest
    @CsvSource({
        "http://proxy, '', '', proxy.host, without http://",
        "'', me, hush, proxy.host, is missing",
        "proxy, me, '', proxy.password, go together",
        "proxy, '', hush, proxy.username, go together"
    })
    void refusesHalfAProxy(String host, String username, String password, String key, String message) {
        assertThat(problems(Map.of(
                        "connection.url", "https://es1",
                        "proxy.host", host,
                        "proxy.username", username,
                        "proxy.password", password)))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.key()).isEqualTo(key);
                    assertThat(problem.message()).contains(message).doesNotContain("hush");
                });
    }

    @Test
    void takesSeveralHeaders() {
        assertThat(new ExtraHeaders(new Password("X-A: 1|x-b:two: parts\r\n X-C : \n\n")).values())
                .containsExactly(Map.entry("X-A", "1"), Map.entry("x-b", "two: parts"), Map.entry("X-C", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "hush, each header must be Name: value",
        "X Y: hush, each header must be Name: value",
        "X-Y: hüsh, the value of X-Y has characters beyond ASCII",
        "authorization: hush, the sink itself sets authorization",
        "Content-Type: hush, the sink itself sets Content-Type"
    })
    void refusesHeadersThatItMayNotSend(String headers, String message) {
        assertThatThrownBy(() -> settings(Map.of("connection.url", "https://es1", "http.headers", headers)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("http.headers")
                .hasMessageContaining(message)
                .hasMessageNotContainingAny("hush", "hüsh");
    }

    private static List<Problem> problems(Map<String, String> props) {
        return ConnectionSettings.problems(Parsed.config(ConnectionSettingsTest::define, props));
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
