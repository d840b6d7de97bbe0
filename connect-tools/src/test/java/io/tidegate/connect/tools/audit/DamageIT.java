package io.tidegate.connect.tools.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.testkit.Servers;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.postgres.Postgres;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random topics, a random connector and random damage: the audit names exactly the damage, a repair changes nothing that
 * was right, and the next audit says what is left. {@code -Dtidegate.damage.cases=1000} draws more cases, and
 * {@code -Dtidegate.damage.seed} the ones from another seed on.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DamageIT {
    private static final int CASES = Integer.getInteger("tidegate.damage.cases", 12);
    private static final int THREADS = 4; // a case waits more than it works
    private static final long SEED = Long.getLong("tidegate.damage.seed", 1);

    private static final List<DamagedTable.Kind> KINDS =
            List.of(DamagedTable.Kind.APPENDED, DamagedTable.Kind.COORDINATES, DamagedTable.Kind.KEYED);

    private final Servers servers = Servers.embedded();
    private final Kafka kafka = servers.kafka();
    private final Postgres postgres = servers.postgres();
    private final Elasticsearch elasticsearch = servers.elasticsearch();
    private KafkaProducer<byte[], byte[]> producer;

    @TempDir
    Path folder;

    @BeforeAll
    void start() {
        kafka.start();
        postgres.start();
        elasticsearch.start();
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @AfterAll
    void close() {
        producer.close();
        elasticsearch.close();
        postgres.close();
        kafka.close();
        servers.close();
    }

    private DamageCase draw(long seed) throws SQLException {
        Random dice = new Random(seed * 0x9E3779B97F4A7C15L);
        String name = "damage" + seed;
        int kind = dice.nextInt(5);
        DamagedStore store = kind < 3
                ? new DamagedTable(postgres, name, KINDS.get(kind), dice)
                : new DamagedIndex(elasticsearch, name, kind == 3, dice);
        return new DamageCase(kafka, producer, name, store, dice, folder);
    }

    @Test
    void namesExactlyTheDamageAndRepairsOnlyWhatRecordsProve() throws Exception {
        Queue<String> failures = new ConcurrentLinkedQueue<>();
        List<DamageCase> waiting = new ArrayList<>(); // for Kafka's compaction
        List<Callable<Void>> checks = new ArrayList<>();
        for (long seed = SEED; seed < SEED + CASES; seed++) {
            DamageCase each = draw(seed);
            if (each.isCompacted()) {
                attempt(each, each::prepare, failures);
                waiting.add(each);
            } else {
                checks.add(() -> attempt(each, each::run, failures));
            }
        }
        waiting.forEach(each -> checks.add(() -> attempt(each, each::check, failures)));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (Future<Void> each : threads.invokeAll(checks)) {
                Void unused = each.get();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(failures).isEmpty();
    }

    private static Void attempt(DamageCase each, Executable step, Queue<String> failures) {
        try {
            step.execute();
        } catch (Throwable e) {
            failures.add(e + "\n" + each.details());
        }
        return null;
    }
}
