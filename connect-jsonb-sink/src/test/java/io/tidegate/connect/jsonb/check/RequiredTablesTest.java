package io.tidegate.connect.jsonb.check;

import static io.tidegate.connect.jsonb.settings.Privilege.DELETE;
import static io.tidegate.connect.jsonb.settings.Privilege.INSERT;
import static io.tidegate.connect.jsonb.settings.Privilege.SELECT;
import static io.tidegate.connect.jsonb.settings.Privilege.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.check.RequiredTable.NeededColumn;
import io.tidegate.connect.jsonb.settings.DeliverySettings;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.TableSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.Test;

final class RequiredTablesTest {
    private static List<RequiredTable> of(List<String> topics, Map<String, String> settings) {
        Map<String, String> props = new HashMap<>(settings);
        props.put("connection.url", "jdbc:postgresql://db/tides");
        AbstractConfig config = new AbstractConfig(new PostgresTargetType().config(), props, false);
        return new RequiredTables(
                        TableSettings.from(config),
                        RowSettings.from(config),
                        InsertSettings.from(config),
                        DeliverySettings.from(config))
                .of(topics);
    }

    private static RequiredTable rows(Map<String, String> settings) {
        return of(List.of("tides"), settings).get(0);
    }

    @Test
    void insertsNeedNoMoreThanToInsert() {
        RequiredTable table = rows(Map.of("pk.mode", "kafka"));

        assertThat(table.privileges()).containsExactly(INSERT);
        assertThat(table.key()).isEmpty();
        assertThat(table.columns())
                .extracting(NeededColumn::name)
                .containsExactly("doc", "__connect_topic", "__connect_partition", "__connect_offset");
        assertThat(table.columns()).extracting(NeededColumn::setting).containsOnly("value.column.name", "pk.fields");
    }

    @Test
    void ignoringReadsAndUpsertsUpdateToo() {
        RequiredTable ignore = rows(Map.of("pk.mode", "record_key", "pk.fields", "id", "insert.mode", "ignore"));
        assertThat(ignore.privileges()).containsExactlyInAnyOrder(INSERT, SELECT);
        assertThat(ignore.key()).containsExactly("id");

        RequiredTable upsert = rows(
                Map.of("pk.mode", "record_key", "pk.fields", "id", "insert.mode", "upsert", "delete.enabled", "true"));
        assertThat(upsert.privileges()).containsExactlyInAnyOrder(INSERT, SELECT, UPDATE, DELETE);
    }

    @Test
    void mergingAndComparingNarrowTheTypes() {
        RequiredTable merge = rows(Map.of("pk.mode", "record_key", "pk.fields", "id", "insert.mode", "merge"));
        assertThat(merge.columns().get(0).types()).containsExactly("jsonb");

        RequiredTable unchanged = rows(
                Map.of("pk.mode", "record_key", "pk.fields", "id", "insert.mode", "upsert", "skip.unchanged", "true"));
        assertThat(unchanged.columns().get(0).types()).containsExactlyInAnyOrder("jsonb", "text", "character varying");
    }

    @Test
    void looksAtABoundedNumberOfTablesEachOnce() {
        List<String> topics =
                IntStream.range(0, 200).mapToObj(n -> "topic-" + n).toList();

        assertThat(of(topics, Map.of())).hasSize(50);
        assertThat(of(topics, Map.of("table.name.format", "all"))).hasSize(1);
        assertThat(of(topics, Map.of("table.name.format", "by_${key}"))).isEmpty();
        assertThat(of(List.of(), Map.of("delivery.guarantee", "exactly_once")))
                .extracting(RequiredTable::sql)
                .containsExactly("\"tidegate_offsets\"");
    }
}
