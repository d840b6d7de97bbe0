package io.tidegate.connect.jsonb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.Target;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

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
