package io.tidegate.connect.jsonb;

import static io.tidegate.connect.testkit.scenarios.ChangeEvents.deleted;
import static io.tidegate.connect.testkit.scenarios.ChangeEvents.snapshot;
import static io.tidegate.connect.testkit.scenarios.ChangeEvents.tombstone;
import static io.tidegate.connect.testkit.scenarios.ChangeEvents.value;
import static io.tidegate.connect.testkit.scenarios.ChangeEvents.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.scenarios.ConverterScenarios;
import io.tidegate.connect.testkit.scenarios.Records;
import io.tidegate.connect.testkit.scenarios.Store;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values of converters, in Avro with a schema registry, and Debezium's change events without a transform, in a real
 * worker.
 */
final class FormatsIT extends ConverterScenarios {
    private static final String UNAVAILABLE = "\"__debezium_unavailable_value\"";

    private final PostgresStore store = new PostgresStore(servers().postgres());

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected Path sinkPluginPath() {
        return Path.of("target", "plugin");
    }

    /** Settings for upserts and deletions by the key's columns into a table with these columns. */
    private Map<String, String> settings(String table, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "value.envelope", "debezium",
                "table.name.format", table,
                "pk.mode", "record_key",
                "pk.fields", "id",
                "insert.mode", "upsert",
                "delete.enabled", "true"));
        settings.putAll(more);
        return settings;
    }

    private void awaitRows(String table, String expression, String... rows) {
        String sql = "SELECT " + expression + " FROM " + table + " ORDER BY 1";
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(store.column(sql))
                .containsExactly(rows));
    }

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once"})
    void aTableFollowsItsSource(String guarantee) {
        String table = "follows_" + guarantee;
        store.execute("CREATE TABLE " + table
                + " (id bigint PRIMARY KEY, doc jsonb NOT NULL, __connect_source_position bigint, city text)");
        startSink(
                2,
                settings(
                        table,
                        Map.of(
                                "delivery.guarantee", guarantee,
                                "auto.create", "true",
                                "metadata.columns", "source_position",
                                "extract.columns", "city:$.details.city")));
        String two = "{\"id\":2}";
        String three = "{\"id\":3}";
        records()
                .sendAll(Stream.of(
                        snapshot(topic(), 100),
                        written(topic(), "c", 101, two, "{\"id\":2,\"n\":1}"),
                        written(topic(), "u", 102, two, "{\"id\":2,\"n\":2}"),
                        written(topic(), "c", 103, three, "{\"id\":3}"),
                        new ProducerRecord<>(topic(), null, value("m", 104, "null", "null")),
                        deleted(topic(), 105, three, "{\"id\":3}"),
                        tombstone(topic(), three),
                        // the key changes from 2 to 4
                        deleted(topic(), 106, two, "null"),
                        tombstone(topic(), two),
                        written(topic(), "c", 106, "{\"id\":4}", "{\"id\":4,\"n\":2}")));

        awaitRows(
                table,
                "concat_ws(' ', id, doc, __connect_source_position, city)",
                "1 {\"id\": 1, \"details\": {\"city\": \"Seattle\"}} 100 Seattle",
                "4 {\"n\": 2, \"id\": 4} 106");
        assertNoTaskFailed();
    }

    @Test
    void keysOfSeveralColumnsAndKeysFromTheRowDelete() {
        store.execute("CREATE TABLE lines (doc jsonb NOT NULL, a bigint, b text, PRIMARY KEY (a, b))");
        startSink(1, settings("lines", Map.of("pk.fields", "a,b")));
        String key = "{\"a\":1,\"b\":\"x\"}";
        records()
                .sendAll(Stream.of(
                        written(topic(), "c", 1, key, "{\"a\":1,\"b\":\"x\"}"),
                        written(topic(), "c", 2, "{\"a\":1,\"b\":\"y\"}", "{\"a\":1,\"b\":\"y\"}"),
                        deleted(topic(), 3, key, "null")));
        awaitRows("lines", "b", "y");

        startSink(1, settings("lines", Map.of("pk.mode", "record_value", "pk.fields", "a,b")));
        records()
                .sendAll(Stream.of(
                        written(topic(), "c", 4, null, "{\"a\":2,\"b\":\"z\"}"),
                        deleted(topic(), 5, null, "{\"a\":1,\"b\":\"y\"}")));
        awaitRows("lines", "b", "z");
    }

    /** The only column of its keys is the JSON of the id, as text. */
    @Test
    void anIdOfMongoDbIdentifiesARow() {
        store.execute("CREATE TABLE mongo (id text PRIMARY KEY, doc jsonb NOT NULL)");
        startSink(1, settings("mongo", Map.of()));
        String one = "{\"id\":\"{\\\"$oid\\\": \\\"596e275826f08b2730779e1f\\\"}\"}";
        String two = "{\"id\":\"{\\\"$oid\\\": \\\"596e275826f08b2730779e20\\\"}\"}";
        records()
                .sendAll(Stream.of(
                        written(topic(), "c", 1, one, "\"{\\\"n\\\": 1}\""),
                        written(topic(), "c", 2, two, "\"{\\\"n\\\": 2}\""),
                        written(topic(), "u", 3, one, "\"{\\\"n\\\": 3}\""),
                        deleted(topic(), 4, two, "null"),
                        tombstone(topic(), two)));

        awaitRows("mongo", "id || doc::text", "{\"$oid\": \"596e275826f08b2730779e1f\"}{\"n\": 3}");
        assertNoTaskFailed();
    }

    @Test
    void anOlderChangeFromAnotherTopicReplacesAndDeletesNothing() {
        store.execute(
                "CREATE TABLE guarded (id bigint PRIMARY KEY, doc jsonb NOT NULL, __connect_source_position bigint)");
        String other = topic() + "-replayed";
        broker().createTopic(other, 1);
        startSink(
                1,
                settings(
                        "guarded",
                        Map.of(
                                "topics", topic() + "," + other,
                                "metadata.columns", "source_position",
                                "stale.write.guard", "source_position")));
        records()
                .sendAll(Stream.of(
                        written(topic(), "u", 200, "{\"id\":1}", "{\"id\":1,\"n\":2}"),
                        written(topic(), "u", 200, "{\"id\":2}", "{\"id\":2,\"n\":2}")));
        awaitRows("guarded", "doc->>'n'", "2", "2");

        records()
                .sendAll(Stream.of(
                        written(other, "u", 100, "{\"id\":1}", "{\"id\":1,\"n\":1}"),
                        deleted(other, 150, "{\"id\":2}", "null"),
                        tombstone(other, "{\"id\":2}"),
                        written(other, "c", 300, "{\"id\":3}", "{\"id\":3,\"n\":3}")));
        awaitRows("guarded", "doc->>'n'", "2", "2", "3");

        records().sendAll(Stream.of(deleted(other, 400, "{\"id\":1}", "null")));
        awaitRows("guarded", "doc->>'n'", "2", "3");
    }

    @Test
    void unchangedColumnsKeepTheirValuesWhereDocumentsAreMerged() {
        store.execute("CREATE TABLE merged (id bigint PRIMARY KEY, doc jsonb NOT NULL)");
        startSink(1, settings("merged", Map.of("insert.mode", "merge", "debezium.unavailable.values", "keep")));
        records()
                .sendAll(Stream.of(
                        written(topic(), "c", 1, "{\"id\":1}", "{\"id\":1,\"n\":1,\"large\":\"all of it\"}"),
                        written(topic(), "u", 2, "{\"id\":1}", "{\"id\":1,\"n\":2,\"large\":" + UNAVAILABLE + "}")));

        awaitRows("merged", "doc::text", "{\"n\": 2, \"id\": 1, \"large\": \"all of it\"}");
    }

    @Test
    void whatIsNoChangeEventIsADeadLetterAndItsNeighboursAreWritten() {
        store.execute("CREATE TABLE hostile (id bigint PRIMARY KEY, doc jsonb NOT NULL)");
        startSink(1, settings("hostile", withDeadLetters(Map.of())));
        String event = value("c", 1, "null", "{\"id\":7}");
        records()
                .sendAll(Stream.of(
                        written(topic(), "c", 1, "{\"id\":1}", "{\"id\":1}"),
                        new ProducerRecord<>(topic(), 0, "{\"id\":2}", "{\"id\":2}"),
                        new ProducerRecord<>(topic(), 0, "{\"id\":3}", event.substring(0, event.length() - 1)),
                        new ProducerRecord<>(
                                topic(), 0, "{\"id\":4}", event.replace("\"before\":null", "\"after\":{}")),
                        new ProducerRecord<>(topic(), 0, null, value("t", 2, "null", "null")),
                        written(topic(), "u", 3, "{\"id\":5}", "{\"id\":5,\"large\":" + UNAVAILABLE + "}"),
                        written(topic(), "c", 4, "{\"id\":6}", "{\"id\":6}")));

        awaitRows("hostile", "id", "1", "6");
        await().atMost(SOON).untilAsserted(() -> assertThat(reasons()).hasSize(5));
        assertThat(reasons())
                .anyMatch(reason -> reason.contains("it has no `op`"))
                .anyMatch(reason -> reason.contains("not valid JSON"))
                .anyMatch(reason -> reason.contains("it has `after` twice"))
                .anyMatch(reason -> reason.contains("TRUNCATE"))
                .anyMatch(reason -> reason.contains("REPLICA IDENTITY FULL"));
    }

    private List<String> reasons() {
        return records().deadLetters(deadLetters()).stream()
                .map(Records.DeadLetter::reason)
                .toList();
    }

    /** As with the converter, whose values have a schema. */
    @Test
    void theRegistrysSchemaSaysTheTypesOfColumns() {
        String table = topic() + "-columns";
        store.execute("CREATE TABLE \"" + table + "\" (n bigint, fixed bytea, doc jsonb)");
        Map<String, String> settings = new HashMap<>(avroWithoutAConverter());
        settings.putAll(Props.of("insert.mode=insert pk.mode=none columns.from.fields=add table.name.format=" + table));
        startSink(1, settings);
        sendEveryType();

        await().atMost(SOON).untilAsserted(() -> assertThat(store.column("SELECT count(*) FROM \"" + table + "\""))
                .containsExactly("1"));
        assertThat(store.column("SELECT string_agg(attname || ' ' || atttypid::regtype, ', ' ORDER BY attname)"
                        + " FROM pg_attribute WHERE attrelid = '\"" + table + "\"'::regclass AND attnum > 0"))
                .containsExactly(
                        "at timestamp with time zone, bytes bytea, day date, doc jsonb, double double precision,"
                                + " either jsonb, fixed bytea, float real, inner jsonb, int integer, kind text, list jsonb,"
                                + " long bigint, map jsonb, n bigint, none text, price numeric, some text, text text,"
                                + " time time without time zone, uuid text, yes boolean");
        assertThat(store.column("SELECT concat_ws(' ', bytes, fixed, price, \"time\", list) FROM \"" + table + "\""))
                .containsExactly("\\x010203 \\x0405 123.45 00:06:00 [\"a\", \"b\"]");
        assertNoTaskFailed();
    }
}
