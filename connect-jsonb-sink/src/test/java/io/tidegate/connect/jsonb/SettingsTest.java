package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.spi.TargetType.Problem;
import io.tidegate.connect.jsonb.DeliverySettings.Guarantee;
import io.tidegate.connect.jsonb.TableSettings.InsertMode;
import io.tidegate.connect.jsonb.TableSettings.KeyMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;

final class SettingsTest {
    private static final String URL = "jdbc:postgresql://a:5432,b:5433/readings?password=hidden";

    @Test
    void connectionDefaults() {
        assertThat(ConnectionSettings.from(config(Map.of())))
                .isEqualTo(new ConnectionSettings(
                        URL,
                        "",
                        new Password(""),
                        4,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(60)));
    }

    @Test
    void connectionKeys() {
        assertThat(ConnectionSettings.from(config(Map.of(
                        "connection.user", "u",
                        "connection.password", "p",
                        "connection.pool.max.size", "7",
                        "connection.pool.wait.ms", "300",
                        "connection.timeout.ms", "1500",
                        "socket.timeout.ms", "2500"))))
                .isEqualTo(new ConnectionSettings(
                        URL,
                        "u",
                        new Password("p"),
                        7,
                        Duration.ofMillis(300),
                        Duration.ofMillis(1500),
                        Duration.ofMillis(2500)));
    }

    @Test
    void tableDefaults() {
        assertThat(TableSettings.from(config(Map.of())))
                .isEqualTo(new TableSettings(
                        TableName.parse("${topic}"),
                        "doc",
                        InsertMode.INSERT,
                        InsertMethod.AUTO,
                        KeyMode.NONE,
                        List.of(),
                        false));
    }

    @Test
    void tableKeys() {
        assertThat(TableSettings.from(config(Map.of(
                        "table.name.format", "public.tides",
                        "value.column.name", "body",
                        "insert.mode", "upsert",
                        "insert.method", "unnest",
                        "pk.mode", "record_key",
                        "pk.fields", "id",
                        "delete.enabled", "true"))))
                .isEqualTo(new TableSettings(
                        TableName.parse("public.tides"),
                        "body",
                        InsertMode.UPSERT,
                        InsertMethod.UNNEST,
                        KeyMode.RECORD_KEY,
                        List.of("id"),
                        true));
    }

    @Test
    void kafkaCoordinatesHaveColumnsByDefault() {
        assertThat(TableSettings.from(config(Map.of("pk.mode", "kafka"))).keyColumns())
                .containsExactly("__connect_topic", "__connect_partition", "__connect_offset");
    }

    @Test
    void deliveryDefaults() {
        assertThat(DeliverySettings.from(config(Map.of())))
                .isEqualTo(
                        new DeliverySettings(Guarantee.AT_LEAST_ONCE, "unnamed", TableName.parse("tidegate_offsets")));
    }

    @Test
    void deliveryKeys() {
        assertThat(DeliverySettings.from(config(
                        Map.of("name", "c", "delivery.guarantee", "exactly_once", "offsets.table", "ops.offsets"))))
                .isEqualTo(new DeliverySettings(Guarantee.EXACTLY_ONCE, "c", TableName.parse("ops.offsets")));
    }

    @Test
    void exactlyOnceNeedsTheOrderOfPartitions() {
        Map<String, String> props = props(Map.of("delivery.guarantee", "exactly_once", "ordering", "none"));

        assertThat(new PostgresTargetType().validate(props))
                .extracting(Problem::key)
                .containsExactly("ordering");
    }

    @Test
    void exactlyOnceIsForAppends() {
        Map<String, String> props = props(Map.of(
                "delivery.guarantee", "exactly_once",
                "insert.mode", "upsert",
                "pk.mode", "record_key",
                "pk.fields", "id"));

        assertThat(new PostgresTargetType().validate(props))
                .extracting(Problem::key)
                .containsExactly("delivery.guarantee");
    }

    @Test
    void namesWhatDoesNotGoTogether() {
        Map<String, String> props = props(Map.of("insert.mode", "upsert", "delete.enabled", "true", "pk.fields", "id"));

        assertThat(new JsonbSinkConnector()
                        .validate(props).configValues().stream()
                                .filter(value -> !value.errorMessages().isEmpty())
                                .map(value -> new Problem(
                                        value.name(), value.errorMessages().get(0))))
                .containsExactlyInAnyOrder(
                        new Problem("pk.fields", "pk.mode=none takes 0 columns, and 1 are named"),
                        new Problem(
                                "pk.mode",
                                "insert.mode=upsert needs to know what identifies a row: kafka or record_key"),
                        new Problem("delete.enabled", "deleting needs pk.mode=record_key"));
    }

    @Test
    void aWrongUrlIsRefusedWithoutRepeatingIt() {
        assertThatThrownBy(() -> config(Map.of("connection.url", "jdbc:oracle:secret")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("connection.url")
                .hasMessageNotContaining("secret");
    }

    @Test
    void noTextOfTheSettingsShowsSecrets() {
        ConnectionSettings settings =
                ConnectionSettings.from(config(Map.of("connection.user", "u", "connection.password", "hidden")));

        assertThat(settings).hasToString("a,b/readings as u");
        assertThat(settings.toString()).doesNotContain("hidden");
    }

    @Test
    void theConnectorHasAVersion() {
        assertThat(new JsonbSinkConnector().version())
                .isEqualTo(new JsonbSinkTask().version())
                .matches("\\d.*");
    }

    private static AbstractConfig config(Map<String, String> props) {
        return new AbstractConfig(new JsonbSinkConnector().config(), props(props), false);
    }

    private static Map<String, String> props(Map<String, String> props) {
        Map<String, String> all = new HashMap<>(props);
        all.putIfAbsent("connection.url", URL);
        return all;
    }
}
