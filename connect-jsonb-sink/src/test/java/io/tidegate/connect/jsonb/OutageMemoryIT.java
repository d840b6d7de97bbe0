package io.tidegate.connect.jsonb;

import static io.tidegate.connect.jsonb.SinkCluster.SOON;
import static io.tidegate.connect.jsonb.SinkCluster.logOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Records;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What a worker with a heap of 512 MB and 24 tasks holds during an outage, for each form in which values come. The memory
 * is full after seconds; {@code -Doutage.ms=60000} makes the outage last a minute.
 */
final class OutageMemoryIT {
    /** More than the tasks of a form can hold. */
    private static final int RECORDS_OF_A_TASK = 8_000;

    private static final Duration OUTAGE = Duration.ofMillis(Integer.getInteger("outage.ms", 20_000));
    private static final int FIELDS = 25;
    private static final String CONVERTERS = "org.apache.kafka.connect.";

    private static final SinkCluster CLUSTER = new SinkCluster(
            PostgresServer.builder().fastStart().maxConnections(20).build(), "512m");

    /** Tasks add up to 24. */
    private enum Form {
        BYTES(5, "converters.ByteArrayConverter"),
        STRING(5, "storage.StringConverter"),
        MAP(5, "json.JsonConverter"),
        STRUCT(5, "json.JsonConverter"),
        HEADERS(4, "converters.ByteArrayConverter");

        private final int tasks;
        private final String converter;

        Form(int tasks, String converter) {
            this.tasks = tasks;
            this.converter = converter;
        }

        String topic() {
            return "memory_" + name().toLowerCase(Locale.ROOT);
        }

        int records() {
            return tasks * RECORDS_OF_A_TASK;
        }

        Map<String, String> settings() {
            Map<String, String> settings = new HashMap<>(Map.of(
                    "value.converter", CONVERTERS + converter,
                    "consumer.override.max.poll.records", "5000",
                    "validate.server", "never"));
            if (converter.endsWith("JsonConverter")) {
                settings.put("value.converter.schemas.enable", Boolean.toString(this == STRUCT));
            }
            return settings;
        }

        ProducerRecord<String, String> record(int n) {
            String payload = "{\"n\": " + n + PAYLOAD_FIELDS + "}";
            String value = this == STRUCT ? "{\"schema\": " + SCHEMA + ", \"payload\": " + payload + "}" : payload;
            return new ProducerRecord<>(topic(), n % tasks, null, null, value, headers(n));
        }

        private List<Header> headers(int n) {
            List<Header> headers = new ArrayList<>();
            for (int i = 0; this == HEADERS && i < 5; i++) {
                headers.add(new RecordHeader("x-header-" + i, ("the value " + i + " of record " + n).getBytes(UTF_8)));
            }
            return headers;
        }
    }

    private static final String SCHEMA = "{\"type\": \"struct\", \"fields\": [{\"field\": \"n\", \"type\": \"int64\"}"
            + fields(", {\"field\": \"field%d\", \"type\": \"int64\"}") + "]}";

    private static final String PAYLOAD_FIELDS = fields(", \"field%d\": %d");

    private static String fields(String format) {
        return IntStream.range(0, FIELDS)
                .mapToObj(i -> String.format(Locale.ROOT, format, i, i))
                .collect(Collectors.joining());
    }

    @BeforeAll
    static void start() {
        CLUSTER.start(1);
    }

    @AfterAll
    static void close() {
        CLUSTER.close();
    }

    @Test
    void aWorkerHoldsNoMoreThanItsHeapAndStoresEverythingAfterwards() {
        try (Records records = CLUSTER.newRecords()) {
            for (Form form : Form.values()) {
                CLUSTER.create(form.topic(), form.tasks);
                records.sendAll(IntStream.range(0, form.records()).mapToObj(form::record));
            }
        }
        CLUSTER.server().kill();
        for (Form form : Form.values()) {
            CLUSTER.putConfig(form.topic(), form.topic(), form.tasks, form.settings());
        }
        await().pollDelay(OUTAGE).atMost(OUTAGE.plus(SOON)).until(OutageMemoryIT::isEveryTaskRunning);
        CLUSTER.server().start();

        for (Form form : Form.values()) {
            // Not exactly once: tasks that start one after another rebalance.
            await().atMost(SOON)
                    .pollInterval(Duration.ofSeconds(2)) // each reads a whole table
                    .until(() -> CLUSTER.hasDistinct(form.topic(), form.records()));
            CLUSTER.assertNoTaskFailed(form.topic(), form.tasks);
        }
        assertThat(logOf(CLUSTER.worker(0))).doesNotContain("OutOfMemoryError");
    }

    private static boolean isEveryTaskRunning() {
        for (Form form : Form.values()) {
            if (!CLUSTER.rest().status(form.topic()).isRunning(form.tasks)) {
                return false;
            }
        }
        return true;
    }
}
