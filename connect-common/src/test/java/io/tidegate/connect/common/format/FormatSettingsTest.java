package io.tidegate.connect.common.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.format.RegistrySettings.UsedId;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.common.tls.TlsSettings;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FormatSettingsTest {
    private static final Password NONE = new Password("");

    private static FormatSettings settings(Map<String, String> props) {
        ConfigDef def = FormatSettings.define(new SettingGroup(new ConfigDef(), "Values"))
                .configDef();
        return FormatSettings.from(new AbstractConfig(def, props, false));
    }

    @Test
    void takesWhatTheConverterDeliversByDefault() {
        FormatSettings settings = settings(Map.of());

        assertThat(settings)
                .isEqualTo(new FormatSettings(
                        ValueFormat.CONNECT,
                        new RegistrySettings(List.of(), UsedId.CONTENT, "", NONE, NONE, stores("", NONE, "", NONE))));
        assertThat(settings.problems(Map.of())).isEmpty();
        assertThat(settings.decoder()).isEmpty();
    }

    @Test
    void readsEachKey() {
        FormatSettings settings = settings(Map.of(
                "value.format", "avro",
                "schema.registry.url", "http://one/apis/registry/v3, https://two/apis/registry/v2",
                "schema.registry.use.id", "Global",
                "schema.registry.username", "tide",
                "schema.registry.password", "moon",
                "schema.registry.bearer.token", "token",
                "schema.registry.ssl.truststore.location", "/trust",
                "schema.registry.ssl.truststore.password", "p1",
                "schema.registry.ssl.keystore.location", "/keys",
                "schema.registry.ssl.keystore.password", "p2"));

        assertThat(settings)
                .isEqualTo(new FormatSettings(
                        ValueFormat.AVRO,
                        new RegistrySettings(
                                List.of(
                                        URI.create("http://one/apis/registry/v3"),
                                        URI.create("https://two/apis/registry/v2")),
                                UsedId.GLOBAL,
                                "tide",
                                new Password("moon"),
                                new Password("token"),
                                stores("/trust", new Password("p1"), "/keys", new Password("p2")))));
        assertThat(settings.toString()).doesNotContain("moon", "token");
    }

    private static TlsSettings stores(String trust, Password trustPassword, String keys, Password keysPassword) {
        return TlsSettings.ofFiles("schema.registry.", trust, trustPassword, keys, keysPassword);
    }

    @ParameterizedTest
    @ValueSource(strings = {"registry:8081", "ftp://registry", "http://", "http://u:p@registry", "http://registry?a=b"})
    void refusesWhatIsNoUrlOfARegistry(String url) {
        assertThatThrownBy(() -> settings(Map.of("schema.registry.url", url)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("schema.registry.url");
    }

    @Test
    void saysWhichSettingsDoNotFitTogether() {
        assertThat(settings(Map.of("value.format", "avro")).problems(Map.of()))
                .containsExactly(new Problem("schema.registry.url", "value.format=avro needs it"));
        assertThat(settings(Map.of(
                                "value.format", "avro",
                                "schema.registry.url", "http://registry",
                                "schema.registry.username", "tide",
                                "schema.registry.bearer.token", "token",
                                "schema.registry.ssl.keystore.location", "/no/such/file"))
                        .problems(Map.of()))
                .extracting(Problem::key)
                .containsExactly(
                        "schema.registry.bearer.token",
                        "schema.registry.password",
                        "schema.registry.ssl.keystore.location");
    }

    @ParameterizedTest
    @CsvSource({
        "http://registry/apis/registry/v2, true",
        "http://registry:8081, false",
        "'http://a/apis/registry/v3,http://a/apis/ccompat/v7', false"
    })
    void takesGlobalIdsOnlyOfApicuriosOwnApi(String url, boolean isPossible) {
        FormatSettings settings = settings(
                Map.of("value.format", "avro", "schema.registry.url", url, "schema.registry.use.id", "global"));

        assertThat(settings.problems(Map.of()))
                .isEqualTo(
                        isPossible
                                ? List.of()
                                : List.of(new Problem(
                                        "schema.registry.use.id",
                                        "global needs Apicurio's own API in schema.registry.url, such as"
                                                + " http://registry:8080/apis/registry/v2")));
    }

    @ParameterizedTest
    @CsvSource({
        "avro, org.apache.kafka.connect.json.JsonConverter, true",
        "avro, io.confluent.connect.avro.AvroConverter, true",
        "avro, org.apache.kafka.connect.converters.ByteArrayConverter, false",
        "avro, ByteArrayConverter, false",
        "connect, org.apache.kafka.connect.json.JsonConverter, false"
    })
    void avroIsNotConvertedBefore(String format, String converter, boolean isProblem) {
        FormatSettings settings = settings(Map.of("value.format", format, "schema.registry.url", "http://registry"));

        assertThat(settings.problems(Map.of("value.converter", converter)))
                .hasSize(isProblem ? 1 : 0)
                .allSatisfy(problem -> assertThat(problem.key() + ": " + problem.message())
                        .startsWith("value.format: avro needs the bytes of values, and value.converter=" + converter));
    }

    @Test
    void opensNoDecoderWithoutARegistry() {
        FormatSettings settings = settings(Map.of("value.format", "avro"));

        assertThatThrownBy(() -> settings.decoder())
                .isInstanceOf(ConfigException.class)
                .hasMessage("schema.registry.url: value.format=avro needs it");
    }

    @Test
    void saysWhichJarIsMissing() {
        FormatSettings settings = settings(Map.of("value.format", "avro", "schema.registry.url", "http://registry"));

        assertThatThrownBy(() -> settings.decoder())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("connect-avro");
    }
}
