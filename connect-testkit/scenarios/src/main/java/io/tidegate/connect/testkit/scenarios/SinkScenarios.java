package io.tidegate.connect.testkit.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.Servers;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The scenarios that every sink must pass on real servers, whatever its settings are. A sink's integration test inherits
 * them and supplies its store. {@code ./versions} repeats those tagged "smoke" on other versions of the servers; {@code -Pquick} runs the one
 * tagged "quick".
 */
public abstract class SinkScenarios extends SinkHarness {
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

    /** A sink may override it to lose its server once for more connectors. */
    @Test
    protected void survivesTheDeathOfTheServer() {
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

    /** A sink may override it to lose its worker once for more connectors. */
    @Test
    protected void survivesTheDeathOfTheWorker() {
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
