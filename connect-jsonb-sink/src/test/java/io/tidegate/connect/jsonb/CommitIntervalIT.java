package io.tidegate.connect.jsonb;

import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Records;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A worker that commits no offset while a test runs: nothing may wait for a commit. */
final class CommitIntervalIT {
    private static final Duration NEVER = Duration.ofHours(1);
    private static final SinkCluster CLUSTER =
            new SinkCluster(PostgresServer.builder().fastStart().build(), "256m", NEVER);

    @BeforeAll
    static void start() {
        CLUSTER.start(1);
    }

    @AfterAll
    static void close() {
        CLUSTER.close();
    }

    @Test
    void exactlyOnceBeginsAndGoesOnWithoutOne() {
        Map<String, String> settings = Map.of(
                "delivery.guarantee",
                "exactly_once",
                "topics.regex",
                "own-.",
                "consumer.override.metadata.max.age.ms",
                "500");
        CLUSTER.create("own-1", 1);
        try (Records records = CLUSTER.newRecords()) {
            records.send("own-1", 0, 10);
            CLUSTER.putConfig("own", "", 1, settings);
            awaitRecords("own-1", 10);

            CLUSTER.rest().restartTask("own", 0);
            records.send("own-1", 10, 20);
            awaitRecords("own-1", 20);

            CLUSTER.create("own-2", 1); // the idle task is given a partition
            records.send("own-2", 0, 10);
            awaitRecords("own-2", 10);
        }
    }

    private static void awaitRecords(String topic, long records) {
        await().atMost(SinkCluster.SOON).until(() -> CLUSTER.hasDistinct(topic, records));
    }
}
