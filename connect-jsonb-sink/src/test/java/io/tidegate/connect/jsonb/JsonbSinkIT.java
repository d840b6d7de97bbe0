package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.postgres.Postgres;
import io.tidegate.connect.testkit.scenarios.PluginScenarios;
import io.tidegate.connect.testkit.scenarios.Records;
import io.tidegate.connect.testkit.scenarios.Store;
import io.tidegate.connect.testkit.scenarios.WorkerMetrics;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import javax.management.JMException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The JSONB sink in a real distributed worker, from its own plugin folder, on a real PostgreSQL. */
final class JsonbSinkIT extends PluginScenarios {
    private final Postgres server = servers().postgres();
    private final PostgresStore store = new PostgresStore(server);

    @Override
    protected Store store() {
        return store;
    }

    @Test
    void manyTasksShareOneBoundedPoolAndLeaveNothingBehind() {
        startSink(4, Map.of("connection.pool.max.size", "2"));
        records().send(topic(), 0, 20_000);
        awaitFirstStored();
        assertThat(store.poolSessions()).isBetween(1, 2);

        awaitStored(0, 20_000);
        assertThat(store.poolSessions()).isLessThanOrEqualTo(2);

        rest().delete(topic());
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(store.sinkSessions()).isZero());
    }

    @Test
    void aWorkersPoolShowsItsMetricsOnceAndInEveryTask() throws IOException, JMException {
        String pool = "tidegate:type=connection-pool,*";
        startSink(3, Map.of("connection.pool.max.size", "2"));
        records().send(topic(), 0, 5_000);
        awaitStored(0, 5_000);

        try (WorkerMetrics metrics = new WorkerMetrics(worker())) {
            assertThat(metrics.names(pool)).singleElement().satisfies(name -> assertThat(name)
                    .contains(server.workerHost(), server.user())
                    .doesNotContain(server.password()));
            assertThat(metrics.values(pool, "pool-max")).containsExactly(2.0);
            assertThat(metrics.values(pool, "pool-opened-total")).allMatch(opened -> opened >= 1 && opened <= 2);
            assertThat(metrics.values(pool, "pool-evictions-total")).containsExactly(0.0);
            assertThat(metrics.values(pool, "pool-wait-ms-max")).allMatch(ms -> ms > 0);
            assertThat(metrics.ofTasks(topic(), "pool-max")).containsExactly(2.0, 2.0, 2.0);

            rest().delete(topic());
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(metrics.names(pool)).isEmpty());
        }
    }

    /** The record fits a message of 1 MB, and with the headers of a dead letter it does not. */
    @Test
    void aDeadLetterThatIsTooLargeFailsTheTaskAndIsNotPassed() {
        Map<String, String> settings = withDeadLetters(Map.of());
        broker().createTopic(deadLetters(), 1, Map.of("max.message.bytes", "2000000"));
        startSink(1, settings);
        records().sendJson(topic(), "x".repeat(1_048_400));
        awaitFailure("the dead letter queue did not take " + topic(), "producer.override.max.request.size");
        assertThat(rest().offsets(topic()).values()).allMatch(offset -> offset == 0);

        rest().delete(topic());
        settings.put("producer.override.max.request.size", "2000000");
        startSink(1, settings);
        await().atMost(SOON).untilAsserted(() -> assertThat(records().deadLetters(deadLetters()))
                .hasSize(1));
        awaitCommitted(1);
    }

    @Test
    void aMissingTableFailsTheTaskAndSaysSo() {
        startSink(1, Map.of("table.name.format", "nowhere", "validate.server", "never"));
        records().send(topic(), 0, 1);

        awaitFailure("relation \"nowhere\" does not exist", "SQLSTATE 42P01", topic());
    }

    @Test
    void aWrongPasswordFailsTheTaskAndKeepsItSecret() {
        startSink(
                1,
                Map.of(
                        "connection.password", "hunter2",
                        "connection.pool.wait.ms", "1000",
                        "validate.server", "never"));
        records().send(topic(), 0, 1);

        String trace = awaitFailure("password authentication failed", "SQLSTATE 28P01");
        assertThat(trace).doesNotContain("hunter2");
    }

    @Test
    void carriesOnWithANewPasswordFromItsConfigProvider() {
        store.execute("CREATE ROLE rotated LOGIN SUPERUSER PASSWORD 'the first one'");
        String secrets = worker().writeFile("secrets.properties", "password=the first one");
        startSink(
                2,
                Map.of(
                        "connection.user", "rotated",
                        "connection.password", "${file:" + secrets + ":password}",
                        "connection.pool.wait.ms", "1000"));
        records().send(topic(), 0, 1_000);
        awaitStored(0, 1_000);

        worker().writeFile("secrets.properties", "password=the second one");
        store.execute("ALTER ROLE rotated PASSWORD 'the second one'");
        store.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rotated'");
        records().send(topic(), 1_000, 2_000);

        awaitStored(0, 2_000);
        assertNoTaskFailed();
    }

    private String awaitFailure(String... said) {
        await().atMost(SOON).until(() -> rest().status(topic()).tasks().stream()
                .map(ConnectRest.TaskStatus::state)
                .anyMatch("FAILED"::equals));
        String trace = rest().status(topic()).tasks().get(0).trace().orElseThrow();
        assertThat(trace).contains(said);
        return trace;
    }

    @Test
    void aDeadLetterTellsProgramsWhatTheServerTold() throws JsonProcessingException {
        store.execute("CREATE TABLE strict (doc jsonb CONSTRAINT positive CHECK ((doc->>'n')::int >= 0),"
                + " station text GENERATED ALWAYS AS (doc->>'station') STORED NOT NULL)");
        startSink(
                1,
                withDeadLetters(Map.of(
                        "table.name.format", "strict",
                        "pk.mode", "none",
                        "insert.mode", "insert")));
        records().sendJson(topic(), "{\"n\": -1, \"station\": \"a\"}");
        records().sendJson(topic(), "{\"n\": 2}");
        records().sendJson(topic(), "{\"n\": 3, \"station\": \"a\"}");

        await().atMost(SOON).until(() -> records().deadLetters(deadLetters()).size() == 2);
        Map<String, JsonNode> facts = new HashMap<>();
        for (Records.DeadLetter letter : records().deadLetters(deadLetters())) {
            String reason = letter.reason();
            facts.put(letter.value(), new ObjectMapper().readTree(reason.substring(reason.lastIndexOf("{\"kind\":"))));
        }
        JsonNode ofConstraint = facts.get("{\"n\": -1, \"station\": \"a\"}");
        assertThat(ofConstraint.get("kind").asText()).isEqualTo("constraint");
        assertThat(ofConstraint.get("sqlstate").asText()).isEqualTo("23514");
        assertThat(ofConstraint.get("constraint").asText()).isEqualTo("positive");
        assertThat(ofConstraint.get("table").asText()).isEqualTo("\"strict\"");
        assertThat(ofConstraint.get("statement").asText()).isEqualTo("insert");
        assertThat(ofConstraint.get("attempts").asInt()).isPositive();
        JsonNode ofColumn = facts.get("{\"n\": 2}");
        assertThat(ofColumn.get("sqlstate").asText()).isEqualTo("23502");
        assertThat(ofColumn.get("column").asText()).isEqualTo("station");
        await().atMost(SOON).untilAsserted(() -> assertThat(store.column("SELECT doc->>'n' FROM strict"))
                .containsExactly("3"));
        assertNoTaskFailed();
    }

    @Test
    @Tag("smoke")
    void upsertsByKeyAndDeletesByTombstone() {
        store.execute("CREATE TABLE latest (doc jsonb NOT NULL, station text PRIMARY KEY)");
        startSink(
                2,
                Map.of(
                        "table.name.format", "latest",
                        "pk.mode", "record_key",
                        "pk.fields", "station",
                        "insert.mode", "upsert",
                        "delete.enabled", "true"));
        for (int level = 0; level < 500; level++) {
            records().sendKeyed(topic(), "a", "{\"level\": " + level + "}");
            records().sendKeyed(topic(), "b", "{\"level\": " + -level + "}");
        }
        records().sendTombstone(topic(), "b");

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(store.column("SELECT station || (doc->>'level') FROM latest"))
                        .containsExactly("a499"));
        assertNoTaskFailed();
    }

    /** The recipe in docs/how-to/values.md: the event's id is the key, its type a column. */
    @Test
    @Tag("smoke")
    void storesCloudEventsInBinaryMode() {
        String table = "events_binary";
        store.execute("CREATE TABLE " + table + " (doc jsonb NOT NULL, headers jsonb)");
        startSink(
                1,
                Map.of(
                        "table.name.format", "events_${header:ce_mode}",
                        "header.converter", "org.apache.kafka.connect.storage.StringConverter",
                        "pk.mode", "none",
                        "insert.mode", "insert",
                        "metadata.columns", "headers:headers"));
        Map<String, String> event = Map.of(
                "ce_specversion", "1.0",
                "ce_id", "e-1",
                "ce_source", "/stations/9447130",
                "ce_type", "io.tidegate.reading",
                "ce_mode", "binary");
        records().sendWithHeaders(topic(), event, "{\"n\": 1}");

        await().atMost(SOON).untilAsserted(() -> assertThat(store.column("SELECT headers->>'ce_id' FROM " + table))
                .containsExactly("e-1"));
        assertThat(store.column("SELECT doc->>'n' || (headers->>'ce_source') FROM " + table))
                .containsExactly("1/stations/9447130");
    }

    @Test
    @Tag("smoke")
    void storesCloudEventsInStructuredModeOnceEach() {
        String table = "events_structured";
        store.execute("CREATE TABLE " + table
                + " (doc jsonb NOT NULL, source text, id text, type text, PRIMARY KEY (source, id))");
        startSink(
                1,
                Map.of(
                        "table.name.format", table,
                        "pk.mode", "record_value",
                        "pk.fields", "source,id",
                        "insert.mode", "ignore",
                        "extract.columns", "type:$.type"));
        String event = "{\"specversion\": \"1.0\", \"id\": \"e-%d\", \"source\": \"/stations/9447130\","
                + " \"type\": \"io.tidegate.reading\", \"data\": {\"n\": %d}}";
        for (int n : new int[] {1, 2, 1}) {
            records().sendJson(topic(), event.formatted(n, n));
        }

        await().atMost(SOON).untilAsserted(() -> assertThat(store.column(
                        "SELECT id || ' ' || type || ' ' || (doc#>>'{data,n}') FROM " + table + " ORDER BY id"))
                .containsExactly("e-1 io.tidegate.reading 1", "e-2 io.tidegate.reading 2"));
        assertNoTaskFailed();
    }
}
