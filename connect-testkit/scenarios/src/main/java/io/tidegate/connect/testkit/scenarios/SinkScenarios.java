package io.tidegate.connect.testkit.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.testkit.Servers;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The scenarios that every sink must pass on real servers. A sink's integration test inherits them and supplies its
 * store. {@code ./versions} repeats those tagged "smoke" on other versions of the servers; {@code -Pquick} runs the one
 * tagged "quick".
 */
public abstract class SinkScenarios extends SinkHarness {
    private static final String STRING = "org.apache.kafka.connect.storage.StringConverter";
    private static final String TRANSFORMS = "org.apache.kafka.connect.transforms.";
    private static final String JSON = "org.apache.kafka.connect.json.JsonConverter";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Uses the kind of servers that was chosen for this run; the store must be one of {@link #servers}. */
    protected SinkScenarios() {
        super(Servers.chosen());
    }

    @Test
    @Tag("quick")
    @Tag("smoke")
    void writesEveryRecordOnceWithSeveralTasks() {
        records().send(topic(), 0, 5_000);
        startSink(PARTITIONS, Map.of());
        records().send(topic(), 5_000, 10_000);

        awaitStored(0, 10_000);
        assertNoTaskFailed();
    }

    @Test
    void continuesAfterARestartOfConnectorAndTasks() {
        startSink(2, Map.of());
        records().send(topic(), 0, 1_000);
        awaitStored(0, 1_000);

        rest().restart(topic(), true);
        records().send(topic(), 1_000, 2_000);

        awaitStored(0, 2_000);
        rest().awaitRunning(topic(), 2, SOON);
    }

    @Test
    @Tag("smoke")
    void deliversAgainFromWhereOffsetsAreSetOrReset() {
        startSink(2, Map.of());
        records().sendTo(topic(), 0, 0, 100);
        awaitStored(0, 100);
        awaitCommitted(100);

        stopSink();
        store().clear(topic());
        rest().alterOffsets(topic(), Map.of(new TopicPartition(topic(), 0), 60L));
        rest().resume(topic());
        awaitStored(60, 100);
        awaitCommitted(100);

        stopSink();
        store().clear(topic());
        rest().resetOffsets(topic());
        rest().resume(topic());
        awaitStored(0, 100);
    }

    @Test
    @Tag("smoke")
    void takesJsonAsBytes() throws JsonProcessingException {
        String json =
                " {\"n\": 1, \"text\": \"\\u00e4\\u20ac\", \"nested\": {\"list\": [1.5, 2.50], \"none\": null, \"yes\": true}}\n";
        startSink(1, Map.of());
        records().sendJson(topic(), json);

        assertStored(json);
    }

    @Test
    void takesJsonAsString() throws JsonProcessingException {
        String json = "{\"n\": 1, \"text\": \"ä€\"}";
        startSink(1, Map.of("value.converter", STRING, "key.converter", STRING));
        records().sendJson(topic(), json);

        assertStored(json);
    }

    @Test
    void takesSchemalessMaps() throws JsonProcessingException {
        String json = "{\"n\": 1, \"map\": {\"a\": {\"b\": [1.5, 2.5], \"c\": [\"two\", null]}}, \"yes\": true}";
        startSink(1, Map.of("value.converter", JSON, "value.converter.schemas.enable", "false"));
        records().sendJson(topic(), json);

        assertStored(json);
    }

    @Test
    @Tag("smoke")
    void takesStructsWithLogicalTypes() throws JsonProcessingException {
        startSink(1, Map.of("value.converter", JSON, "value.converter.schemas.enable", "true"));
        records().sendJson(topic(), STRUCT);

        assertStored("{\"n\": 1, \"price\": 123.45, \"day\": \"2015-01-01\", \"time\": \"00:06:00.000\","
                + " \"at\": \"2015-01-01T00:06:00.000Z\", \"raw\": \"AQID\", \"none\": null,"
                + " \"inner\": {\"levels\": [1.5, 2.5]}}");
    }

    private static final String STRUCT = """
            {"schema": {"type": "struct", "fields": [
              {"field": "n", "type": "int64"},
              {"field": "price", "type": "bytes", "name": "org.apache.kafka.connect.data.Decimal",
               "version": 1, "parameters": {"scale": "2"}},
              {"field": "day", "type": "int32", "name": "org.apache.kafka.connect.data.Date", "version": 1},
              {"field": "time", "type": "int32", "name": "org.apache.kafka.connect.data.Time", "version": 1},
              {"field": "at", "type": "int64", "name": "org.apache.kafka.connect.data.Timestamp", "version": 1},
              {"field": "raw", "type": "bytes"},
              {"field": "none", "type": "string", "optional": true},
              {"field": "inner", "type": "struct", "fields": [
                {"field": "levels", "type": "array", "items": {"type": "double"}}]}]},
             "payload": {"n": 1, "price": "MDk=", "day": 16436, "time": 360000, "at": 1420070760000,
              "raw": "AQID", "none": null, "inner": {"levels": [1.5, 2.5]}}}
            """;

    /**
     * Kafka's usual transforms and predicates, as a chain: tombstones are dropped, the topic gets the year, a field gets
     * that topic, and the topic loses the year again.
     */
    @Test
    @Tag("smoke")
    void worksBehindTransformsAndPredicates() throws JsonProcessingException {
        Map<String, String> settings = new HashMap<>(Map.of(
                "value.converter", JSON,
                "value.converter.schemas.enable", "false",
                "predicates", "tombstone",
                "predicates.tombstone.type", "org.apache.kafka.connect.transforms.predicates.RecordIsTombstone",
                "transforms", "drop,year,field,plain"));
        settings.putAll(Map.of(
                "transforms.drop.type", TRANSFORMS + "Filter",
                "transforms.drop.predicate", "tombstone",
                "transforms.year.type", TRANSFORMS + "TimestampRouter",
                "transforms.year.topic.format", "${topic}-${timestamp}",
                "transforms.year.timestamp.format", "yyyy"));
        settings.putAll(Map.of(
                "transforms.field.type", TRANSFORMS + "InsertField$Value",
                "transforms.field.topic.field", "via",
                "transforms.plain.type", TRANSFORMS + "RegexRouter",
                "transforms.plain.regex", "(.*)-\\d{4}",
                "transforms.plain.replacement", "$1"));
        startSink(1, settings);
        records().sendTombstone(topic(), "k");
        records().sendJson(topic(), "{\"n\": 1}");

        awaitFirstStored();
        JsonNode stored = store().object(topic(), 1);
        assertThat(stored.get("via").asText()).matches(topic() + "-\\d{4}");
        assertThat(store().numbers(topic())).containsExactly(1L);
        awaitCommitted(2);
    }

    private void assertStored(String expected) throws JsonProcessingException {
        awaitFirstStored();
        JsonNode stored = store().object(topic(), 1);
        assertThat(stored).isEqualTo(MAPPER.readTree(expected));
        assertThat(store().numbers(topic())).containsExactly(1L);
    }

    @Test
    @Tag("smoke")
    void aPoisonRecordGoesToTheDeadLetterQueueAndTheOthersAreStored() {
        String poison = "{\"n\": 500, \"never closed";
        startSink(2, withDeadLetters(Map.of("errors.log.enable", "true")));
        long mark = logMark();
        records().send(topic(), 0, 500);
        records().sendJson(topic(), poison);
        records().send(topic(), 500, 1_000);

        awaitStored(0, 1_000);
        awaitCommitted(1_001);
        List<Records.DeadLetter> letters = records().deadLetters(deadLetters());
        assertThat(letters).extracting(Records.DeadLetter::value).containsExactly(poison);
        assertThat(letters.get(0).reason())
                .matches("\\S.* \\{\"kind\":\"\\w+\".*}")
                .doesNotContain("never closed");
        awaitLogged(mark, "Error encountered in task");
        assertNoTaskFailed();
    }

    /** Confluent's frame with an id of 4 bytes, Apicurio's with 8, Glue's with a UUID; and neighbours without one. */
    @Test
    @Tag("smoke")
    void takesJsonInTheFrameOfASchemaRegistry() {
        String avro = "\0\0\0\0\7\nhello";
        String cutOff = "\0\0";
        startSink(1, withDeadLetters(Map.of()));
        records().sendJson(topic(), "\0\0\0\0\7{\"n\": 0}");
        records().sendJson(topic(), avro);
        records().sendJson(topic(), "\0\0\0\0\0\0\0\0\7 {\"n\": 1}");
        records().sendJson(topic(), cutOff);
        records().sendJson(topic(), "\3\0" + "0123456789abcdef" + "{\"n\": 2}");
        records().sendJson(topic(), "{\"n\": 3}");

        awaitStored(0, 4);
        awaitCommitted(6);
        assertThat(records().deadLetters(deadLetters()))
                .as("the fetched bytes, and why")
                .extracting(Records.DeadLetter::value)
                .containsExactlyInAnyOrder(avro, cutOff);
        assertThat(records().deadLetters(deadLetters()))
                .extracting(Records.DeadLetter::reason)
                .anyMatch(reason -> reason.contains("(schema 7)") && reason.contains("AvroConverter"))
                .anyMatch(reason -> reason.contains("ends inside Confluent's or Apicurio's frame"));
        assertNoTaskFailed();
    }

    @Test
    @Tag("smoke")
    void showsOverJmxWhatItDoesUntilItIsDeleted() throws IOException, JMException {
        startSink(1, withDeadLetters(Map.of("batch.size", "500")));
        records().send(topic(), 0, 5_000);
        records().sendJson(topic(), "{\"n\": 500, \"never closed");
        awaitStored(0, 5_000);
        awaitCommitted(5_001);

        try (WorkerMetrics metrics = new WorkerMetrics(worker())) {
            assertThat(metrics.sumOfTasks(topic(), "records-received-total")).isEqualTo(5_001);
            assertThat(metrics.sumOfTasks(topic(), "records-written-total")).isEqualTo(5_000);
            assertThat(metrics.sumOfTasks(topic(), "bytes-written-total")).isEqualTo(Records.jsonBytes(0, 5_000));
            assertThat(metrics.sumOfTasks(topic(), "records-refused-total")).isEqualTo(1);
            assertThat(metrics.sumOfTasks(topic(), "dead-letters-total")).isEqualTo(1);
            assertThat(metrics.sumOfTasks(topic(), "bytes-held")).isZero();
            assertThat(metrics.sumOfTasks(topic(), "outage-ms-total")).isZero();
            assertThat(metrics.ofTasks(topic(), "batch-rows-max"))
                    .hasSize(1)
                    .allMatch(rows -> rows >= 1 && rows <= 500);
            assertThat(metrics.ofTasks(topic(), "write-latency-ms-p99")).allMatch(ms -> ms > 0 && ms < SOON.toMillis());
            assertThat(metrics.ofTasks(topic(), "record-age-ms-avg")).allMatch(ms -> ms >= 0 && ms < SOON.toMillis());

            rest().delete(topic());
            await().atMost(SOON).until(() -> metrics.names("*:*").stream().noneMatch(name -> name.contains(topic())));
        }
    }

    @Test
    void aPoisonRecordIsSkippedWithoutADeadLetterQueue() {
        startSink(2, Map.of("errors.tolerance", "all"));
        long mark = logMark();
        records().send(topic(), 0, 500);
        records().sendJson(topic(), "{\"n\": 500, \"never closed");
        records().send(topic(), 500, 1_000);

        awaitStored(0, 1_000);
        awaitCommitted(1_001);
        awaitLogged(mark, "1 records dropped so far: they cannot be written");
        assertNoTaskFailed();
    }

    /** Connect assigns the partition of a failed task to the connector's next task, which fails on the same record. */
    @Test
    void aPoisonRecordThatIsNotToleratedDoesNotStopOtherSinks() {
        String other = topic() + "-other";
        broker().createTopic(other, 1);
        store().create(other);
        try {
            startSink(other, 1, Map.of());
            startSink(2, Map.of());
            records().sendJson(topic(), "{\"n\": 500, \"never closed");

            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(rest().status(topic()).tasks())
                            .hasSize(2)
                            .allSatisfy(task -> assertThat(task.state()).isEqualTo("FAILED"))
                            .allSatisfy(task -> assertThat(task.trace().orElseThrow())
                                    .contains(topic(), "errors.tolerance=all", "errors.deadletterqueue.topic.name")
                                    .doesNotContain("never closed")));

            records().send(other, 0, 1_000);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(store().numbers(other)).hasSize(1_000));
        } finally {
            rest().delete(other);
        }
    }

    @Test
    void survivesTheDeathOfTheServer() {
        startSink(2, Map.of());
        records().send(topic(), 0, 5_000);
        awaitFirstStored();

        long mark = logMark();
        store().server().kill();
        records().send(topic(), 5_000, 10_000);
        awaitLogged(mark, OUTAGE);
        store().server().start();
        records().send(topic(), 10_000, 15_000);

        awaitStored(0, 15_000);
        assertNoTaskFailed();
    }

    @Test
    void survivesAServerThatHangs() {
        startSink(1, store().impatience());
        records().send(topic(), 0, 1_000);
        awaitStored(0, 1_000);

        long mark = logMark();
        store().server().pause();
        records().send(topic(), 1_000, 2_000);
        awaitLogged(mark, OUTAGE);
        store().server().resume();

        awaitStored(0, 2_000);
        assertNoTaskFailed();
    }

    @Test
    void survivesTheDeathOfTheWorker() {
        startSink(2, Map.of());
        records().send(topic(), 0, 5_000);
        awaitFirstStored();

        worker().kill();
        records().send(topic(), 5_000, 10_000);
        worker().start();

        awaitStored(0, 10_000);
        rest().awaitRunning(topic(), 2, SOON);
    }
}
