package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.postgres.Postgres;
import io.tidegate.connect.testkit.scenarios.SinkScenarios;
import io.tidegate.connect.testkit.scenarios.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every scenario but those of values and of the plugin again with {@code delivery.guarantee=exactly_once} into tables without any key, and
 * kills at random: {@code -Dexactly.once.kills=200} makes the long run, {@code -Dexactly.once.seed=N} repeats one.
 */
final class ExactlyOnceIT extends SinkScenarios {
    private static final int KILLS = Integer.getInteger("exactly.once.kills", 6);
    private static final long SEED = Long.getLong("exactly.once.seed", System.nanoTime());
    private static final int RECORDS_A_ROUND = 2_000;

    private final Postgres server = servers().postgres();
    private final PostgresStore store = new PostgresStore(server) {
        @Override
        public Map<String, String> sinkConfig() {
            return Map.of(
                    "connector.class", JsonbSinkConnector.class.getName(),
                    "connection.url", "${env:POSTGRES_URL}",
                    "connection.user", server.user(),
                    "connection.password", "${env:POSTGRES_PASSWORD}",
                    "delivery.guarantee", "exactly_once",
                    "retry.backoff.max.ms", "500");
        }

        @Override
        public void create(String topic) {
            execute("CREATE TABLE \"" + topic + "\" (doc jsonb NOT NULL)");
        }
    };

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected void startStore() {
        server.start();
        store.execute(
                "CREATE TABLE tidegate_offsets (connector text, topic text, partition integer, next_offset bigint NOT"
                        + " NULL, generation bigint NOT NULL, record_offset bigint, record_timestamp bigint, record_hash bigint, record_rules bigint, PRIMARY KEY (connector, topic, partition))");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "values", "unnest"})
    void noKillLosesOrDoublesARow(String method) {
        Random random = new Random(SEED);
        startSink(3, Map.of("insert.method", method, "batch.size", "500"));
        List<String> kills = new ArrayList<>();
        long sent = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            records().send(topic(), sent, sent + RECORDS_A_ROUND);
            sent += RECORDS_A_ROUND;
            kills.add(kill(random));
        }
        records().send(topic(), sent, sent + RECORDS_A_ROUND);
        sent += RECORDS_A_ROUND;

        long expected = sent;
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(300))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(distinct())
                        .as("seed %d, kills %s", SEED, kills)
                        .isEqualTo(expected));
        assertThat(store.column("SELECT count(*) FROM \"" + topic() + "\""))
                .as("rows; seed %d, kills %s", SEED, kills)
                .containsExactly(Long.toString(expected));
        rest().awaitRunning(topic(), 3, SOON);
        store.execute("DROP TABLE \"" + topic() + "\"");
    }

    private long distinct() {
        return Long.parseLong(store.column("SELECT count(DISTINCT doc->>'n') FROM \"" + topic() + "\"")
                .get(0));
    }

    private String kill(Random random) {
        switch (random.nextInt(10)) {
            case 0 -> {
                worker().kill();
                worker().start();
                return "worker";
            }
            case 1 -> {
                server.kill();
                server.start();
                return "server";
            }
            case 2, 3 -> {
                rest().restartTask(topic(), random.nextInt(3));
                return "task";
            }
            case 4 -> {
                rest().restart(topic(), true);
                return "connector";
            }
            default -> {
                store.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE application_name LIKE 'tidegate%'");
                return "backends";
            }
        }
    }
}
