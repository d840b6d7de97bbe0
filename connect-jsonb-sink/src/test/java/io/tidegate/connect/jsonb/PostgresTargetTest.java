package io.tidegate.connect.jsonb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.value.RefusedException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresTargetTest {
    /** Debezium sends one after each deletion, and it has no field. */
    @Test
    void skipsATombstoneIfTheTableIsNamedAfterAField() {
        Map<String, String> props = Map.of(
                "connection.url", "jdbc:postgresql://localhost:1/none",
                "value.envelope", "debezium",
                "insert.mode", "upsert",
                "pk.mode", "record_key",
                "pk.fields", "id",
                "delete.enabled", "true",
                "table.name.format", "orders_${field:$.region}");
        String deletion =
                "{\"op\": \"d\", \"before\": {\"id\": 1, \"region\": \"eu\"}, \"after\": null, \"source\": {}}";

        try (Target target = new PostgresTargetType().open(props)) {
            Progress progress = new Progress(new TopicPartition("orders", 0), 1);
            assertThat(target.mapper().map(record(deletion.getBytes(UTF_8)), progress))
                    .hasValueSatisfying(
                            document -> assertThat(document.destination()).contains("orders_eu"));
            assertThat(target.mapper().map(record(null), progress)).isEmpty();
        }
    }

    /** The older row would stay where it is, and nothing would report it. */
    @ParameterizedTest
    @CsvSource({"record_key, table.name.format", "record_value, pk.fields"})
    void refusesAnUpdateThatMovesARow(String keyMode, String setting) {
        Map<String, String> props = new HashMap<>(Map.of(
                "connection.url",
                "jdbc:postgresql://localhost:1/none",
                "value.envelope",
                "debezium",
                "insert.mode",
                "upsert",
                "pk.mode",
                keyMode,
                "pk.fields",
                keyMode.equals("record_key") ? "id" : "region",
                "table.name.format",
                keyMode.equals("record_key") ? "orders_${field:$.region}" : "orders"));
        SinkRecord update = record(
                "{\"op\": \"u\", \"before\": {\"region\": \"eu\"}, \"after\": {\"region\": \"us\"}, \"source\": {}}"
                        .getBytes(UTF_8));
        Progress progress = new Progress(new TopicPartition("orders", 0), 1);

        try (Target target = new PostgresTargetType().open(props)) {
            assertThatThrownBy(() -> target.mapper().map(update, progress))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("a field that " + setting + " reads");
        }
        props.put("insert.mode", "insert");
        try (Target appending = new PostgresTargetType().open(props)) {
            assertThat(appending.mapper().map(update, progress)).isPresent();
        }
    }

    /** Otherwise the log would not say that nothing comes of them. */
    @Test
    void namesTheSettingsOfOtherSinksThatHaveNoEffect() {
        PostgresTargetType type = new PostgresTargetType();
        Map<String, String> theirs =
                Map.of("auto.evolve", "true", "db.timezone", "UTC", "auto.create", "true", "topics", "tides");

        assertThat(type.aliases().withoutEffect(theirs)).containsOnlyKeys("auto.evolve", "db.timezone");
        assertThat(type.config().names())
                .doesNotContainAnyElementsOf(type.aliases().without().keySet());
    }

    private static SinkRecord record(byte[] value) {
        return new SinkRecord("orders", 0, null, "{\"id\": 1}".getBytes(UTF_8), null, value, 0);
    }
}
