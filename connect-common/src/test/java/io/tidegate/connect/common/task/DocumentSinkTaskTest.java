package io.tidegate.connect.common.task;

import static io.tidegate.connect.common.testing.Records.partition;
import static io.tidegate.connect.common.testing.Records.record;
import static io.tidegate.connect.common.testing.Records.records;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.spi.AccessRefusedException;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.testing.FakeSinkTaskContext;
import io.tidegate.connect.common.testing.FakeTarget;
import io.tidegate.connect.common.testing.FakeTargetType;
import io.tidegate.connect.common.testing.FakeWriter;
import io.tidegate.connect.common.testing.FastClock;
import io.tidegate.connect.common.testing.MemoryOffsetStore;
import io.tidegate.connect.common.testing.OffsetsWriter;
import io.tidegate.connect.common.time.Clock;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class DocumentSinkTaskTest {
    private static final class FakeTask extends DocumentSinkTask {
        FakeTask(FakeTargetType type) {
            super(type);
        }

        FakeTask(FakeTargetType type, Clock clock) {
            super(type, clock);
        }
    }

    private final FakeWriter writer = new FakeWriter();
    private final FakeTarget target = new FakeTarget(lane -> writer);
    private final FakeTargetType type = new FakeTargetType(target);
    private final FakeSinkTaskContext context = new FakeSinkTaskContext();
    private final FastClock clock = new FastClock();

    private FakeTask task(FakeTargetType type) {
        FakeTask task = new FakeTask(type);
        task.initialize(context);
        return task;
    }

    @Test
    void writesCommitsAndClosesWhatItOpened() {
        FakeTask task = task(type);
        Map<String, String> props = new HashMap<>(Map.of("name", "tides", "tidegate.task.number", "3"));
        props.put("a.setting.without.a.value", null);
        task.start(props);
        context.assign(List.of(partition(0)));
        task.open(List.of(partition(0)));

        task.put(records(0, 0, 3));
        OffsetAndMetadata consumed = new OffsetAndMetadata(3);

        assertThat(task.preCommit(Map.of(partition(0), consumed))).containsEntry(partition(0), consumed);
        task.close(List.of(partition(0)));
        task.stop();
        assertThat(writer.writtenOffsets()).containsExactly(0L, 1L, 2L);
        assertThat(writer.closes()).isEqualTo(2); // one for each lane
        assertThat(target.closes()).isEqualTo(1);
        assertThat(task.version()).isEqualTo("1.2.3");
    }

    @Test
    void showsWhatItCountsAndMeasures() {
        FakeTask task = task(type);
        task.start(Map.of("buffer.max.bytes", "2000000"));
        context.assign(List.of(partition(0)));
        task.open(List.of(partition(0)));

        task.put(records(0, 0, 3));
        task.put(List.of(record(0, 3, null, null)));
        task.preCommit(Map.of(partition(0), new OffsetAndMetadata(4)));

        assertThat(context.shown().value("records-received-total")).isEqualTo(4);
        assertThat(context.shown().value("records-skipped-total")).isEqualTo(1);
        assertThat(context.shown().value("records-written-total")).isEqualTo(3);
        assertThat(context.shown().value("bytes-held")).isZero();
        assertThat(context.shown().value("bytes-held-limit")).isEqualTo(2_000_000);
        assertThat(context.shown().value("of-this-target")).isEqualTo(42);
        task.stop();
    }

    @Test
    void showsItsMetricsWhileItIsStartedOnAnOlderWorker() throws JMException {
        ObjectName name = new ObjectName("kafka.connect:type=plugins,connector=tides-older,task=7");
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        context.olderThanPluginMetrics();
        FakeTask task = task(type);

        task.start(Map.of("name", "tides-older", "tidegate.task.number", "7"));
        assertThat(server.getAttribute(name, "records-received-total")).isEqualTo(0L);
        task.stop();

        assertThat(server.isRegistered(name)).isFalse();
        assertThat(context.shown().isEmpty()).isTrue();
    }

    /** Connect starts a task while the thread of the one before may not have ended. */
    @Test
    void showsItsMetricsOnceThoseOfTheTaskBeforeAreGone() {
        FakeTask before = task(type);
        before.start(OLD);
        FakeTask task = new FakeTask(type, clock);
        task.initialize(context);
        task.start(OLD);
        before.stop();
        assertThat(context.shown().isEmpty()).isTrue();

        clock.pass(DocumentSinkTask.PUBLISHES_EVERY);
        task.put(List.of());
        assertThat(context.shown().value("bytes-held")).isZero();
        task.stop();
        assertThat(context.shown().isEmpty()).isTrue();
    }

    private static final Map<String, String> OLD = Map.of("name", "tides", "password", "old");
    private static final Map<String, String> NEW = Map.of("name", "tides", "password", "new");

    /** A started task whose lane was told that its password is wrong, after it wrote the first of three records. */
    private FakeTask failed() {
        FakeTask task = task(type);
        context.setConfigs(OLD);
        task.start(OLD);
        context.assign(List.of(partition(0), partition(1)));
        task.open(List.of(partition(0), partition(1)));
        task.put(records(0, 0, 1));
        task.preCommit(Map.of(partition(0), new OffsetAndMetadata(1)));
        writer.thenFail(Failure.FATAL, "wrong password");
        task.put(records(0, 1, 2));
        task.preCommit(Map.of(partition(0), new OffsetAndMetadata(3)));
        return task;
    }

    @Test
    void failsWhenNothingIsWrittenAnyMoreAndTheSettingsAreWhatTheyWere() {
        FakeTask task = failed();

        assertThatThrownBy(() -> task.put(List.of()))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("wrong password");
        assertThat(type.opened()).isEqualTo(1);
        assertThat(context.rewound()).isEmpty();
        task.stop();
    }

    /** As a provider of short-lived tokens does. */
    private void giveANewPasswordAtEachRead() {
        AtomicInteger reads = new AtomicInteger();
        context.setConfigs(() -> Map.of("name", "tides", "password", "new" + reads.incrementAndGet()));
    }

    /** Delivers a record that ends in a refusal. */
    private void putRefused(FakeTask task, String refusal, long offset) {
        writer.thenFail(Failure.FATAL, refusal);
        task.put(records(0, offset, 1));
        task.preCommit(Map.of(partition(0), new OffsetAndMetadata(offset + 1)));
    }

    @Test
    void failsAtOnceForWhatNewSettingsDoNotChange() {
        FakeTask task = task(type);
        giveANewPasswordAtEachRead();
        task.start(OLD);
        context.assign(List.of(partition(0)));
        task.open(List.of(partition(0)));
        putRefused(task, "no such table", 0);

        assertThatThrownBy(() -> task.put(List.of()))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("no such table");
        assertThat(type.opened()).isEqualTo(1);
        task.stop();
    }

    @Test
    void failsWhenNoneOfSeveralNewSettingsHelps() {
        FakeTask task = failed();
        giveANewPasswordAtEachRead();

        for (int start = 0; start < DocumentSinkTask.MAX_FRUITLESS_STARTS; start++) {
            task.put(List.of());
            putRefused(task, "wrong password", 1);
        }

        assertThatThrownBy(() -> task.put(List.of()))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("wrong password");
        assertThat(type.opened()).isEqualTo(1 + DocumentSinkTask.MAX_FRUITLESS_STARTS);
        task.stop();
    }

    @Test
    void startsOverAsOftenAsNewSettingsHelp() {
        FakeTask task = failed();
        giveANewPasswordAtEachRead();

        for (int start = 0; start <= DocumentSinkTask.MAX_FRUITLESS_STARTS; start++) {
            task.put(List.of());
            task.put(records(0, 1 + start, 1));
            task.preCommit(Map.of(partition(0), new OffsetAndMetadata(2 + start)));
            putRefused(task, "wrong password", 2 + start);
        }

        assertThat(type.opened()).isEqualTo(2 + DocumentSinkTask.MAX_FRUITLESS_STARTS);
        assertThatCode(() -> task.put(List.of())).doesNotThrowAnyException();
        task.stop();
    }

    @Test
    void startsOverWhereItStoodWhenItsSettingsHaveChangedMeanwhile() {
        FakeTask task = failed();
        context.setConfigs(NEW);

        task.put(List.of(record(0, 3, null, "{}"), record(1, 7, null, "{}"), record(1, 8, null, "{}")));

        assertThat(type.openedWith()).containsExactly(OLD, NEW);
        assertThat(target.closes()).isEqualTo(1);
        assertThat(context.rewound()).containsExactlyInAnyOrderEntriesOf(Map.of(partition(0), 1L, partition(1), 7L));
        assertThat(context.shown().value("records-written-total")).isZero();

        task.put(records(0, 1, 3));
        task.put(records(1, 7, 2));
        Map<TopicPartition, OffsetAndMetadata> consumed =
                Map.of(partition(0), new OffsetAndMetadata(4), partition(1), new OffsetAndMetadata(9));
        assertThat(task.preCommit(consumed)).isEqualTo(consumed);
        assertThat(writer.writtenOffsets()).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 7L, 8L);
        task.stop();
    }

    /** Connect has gone back, and no record shows that. */
    @Test
    void commitsWhatATransformDropsAfterItHasStartedOver() {
        FakeTask task = failed();
        context.setConfigs(NEW);
        task.put(List.of());
        assertThat(context.rewound()).isEqualTo(Map.of(partition(0), 1L));

        task.put(List.of());
        OffsetAndMetadata read = new OffsetAndMetadata(4);

        assertThat(task.preCommit(Map.of(partition(0), read))).isEqualTo(Map.of(partition(0), read));
        task.stop();
    }

    @Test
    void commitsNothingThatIsToBeDeliveredAgain() {
        FakeTask task = failed();
        context.setConfigs(NEW);

        task.put(List.of(record(0, 3, null, "{}")));

        assertThat(task.preCommit(
                        Map.of(partition(0), new OffsetAndMetadata(4), partition(1), new OffsetAndMetadata(5))))
                .isEqualTo(Map.of(partition(0), new OffsetAndMetadata(1), partition(1), new OffsetAndMetadata(5)));
        task.stop();
    }

    /** A task that has written a record and waits with two more, because its password is refused. */
    private FakeTask waiting() {
        FakeTask task = written();
        writer.goDown("wrong password");
        task.put(records(0, 1, 2));
        return task;
    }

    /** A task that has written a record. */
    private FakeTask written() {
        FakeTask task = new FakeTask(type, clock);
        task.initialize(context);
        context.setConfigs(OLD);
        task.start(OLD);
        context.assign(List.of(partition(0)));
        task.open(List.of(partition(0)));
        task.put(records(0, 0, 1));
        awaitWritten(task, 1);
        return task;
    }

    private void awaitWritten(FakeTask task, int records) {
        while (writer.writtenOffsets().size() < records) {
            task.put(List.of());
        }
    }

    @Test
    void startsOverWithNewSettingsWhileItWaitsForAccess() {
        FakeTask task = waiting();
        context.setConfigs(NEW);

        while (type.opened() == 1) {
            task.put(List.of());
        }

        assertThat(type.openedWith()).containsExactly(OLD, NEW);
        assertThat(context.rewound()).isEqualTo(Map.of(partition(0), 1L));
        writer.comeUp();
        task.put(records(0, 1, 2));
        awaitWritten(task, 3);
        assertThat(writer.writtenOffsets()).containsExactly(0L, 1L, 2L);
        task.stop();
    }

    /** A task that holds nothing is idle. One that Connect does not call, or that writes nothing of what it holds, is not. */
    @Test
    void showsForHowLongNothingGoesOn() {
        FakeTask task = new FakeTask(type, clock);
        task.initialize(context);
        task.start(OLD);
        context.assign(List.of(partition(0)));
        task.open(List.of(partition(0)));
        clock.pass(Duration.ofHours(1));
        assertThat(context.shown().value("stalled-ms")).isGreaterThanOrEqualTo(3_600_000);
        task.put(List.of());
        assertThat(context.shown().value("stalled-ms")).isLessThan(1_800_000);

        writer.goDown("a full disk");
        task.put(records(0, 0, 1));
        clock.pass(Duration.ofHours(1));
        task.put(List.of());
        assertThat(context.shown().value("stalled-ms")).isGreaterThanOrEqualTo(3_600_000);
        writer.comeUp();
        awaitWritten(task, 1);
        task.preCommit(Map.of(partition(0), new OffsetAndMetadata(1)));
        task.put(List.of());
        assertThat(context.shown().value("stalled-ms")).isLessThan(1_800_000);
        task.stop();
    }

    /** A task without records is refused access after each rotation, when it opens its next connection. */
    @Test
    void startsOverForEachOfManyRotationsThoughNothingIsWritten() {
        FakeTask task = waiting();
        giveANewPasswordAtEachRead();

        for (int start = 1; start <= 2 * DocumentSinkTask.MAX_FRUITLESS_STARTS; start++) {
            while (type.opened() == start) {
                task.put(List.of());
            }
            clock.pass(DocumentSinkTask.HELPED_AFTER.plusSeconds(1));
            task.put(records(0, 1, 2));
        }

        assertThat(type.opened()).isGreaterThan(2 * DocumentSinkTask.MAX_FRUITLESS_STARTS);
        task.stop();
    }

    /** The registry's password was rotated; the one that the provider has now is right. */
    @Test
    void startsOverWithNewSettingsWhenTheRegistryRefusesAccess() {
        AtomicBoolean isRefused = new AtomicBoolean();
        target.preparing(records -> {
            if (isRefused.get()) {
                throw new AccessRefusedException("status 401", null);
            }
        });
        FakeTask task = written();
        isRefused.set(true);

        task.put(records(0, 1, 2));
        clock.pass(Duration.ofHours(1));
        task.put(List.of());
        assertThat(context.shown().value("stalled-ms")).isGreaterThanOrEqualTo(3_600_000);
        context.setConfigs(NEW);
        while (type.opened() == 1) {
            task.put(List.of());
        }

        assertThat(type.openedWith()).containsExactly(OLD, NEW);
        assertThat(target.continued()).isTrue();
        assertThat(context.rewound()).isEqualTo(Map.of(partition(0), 1L));
        isRefused.set(false);
        task.put(records(0, 1, 2));
        awaitWritten(task, 3);
        assertThat(writer.writtenOffsets()).containsExactly(0L, 1L, 2L);
        task.stop();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void startsOverWithoutRecordsThatWaitedInAnAssignmentThatIsGone(boolean keepsOffsets) {
        AtomicBoolean isRefused = new AtomicBoolean();
        MemoryOffsetStore offsets = new MemoryOffsetStore();
        FakeTarget waiting = keepsOffsets
                ? new FakeTarget(lane -> new OffsetsWriter(offsets, document -> false)).keepingOffsets()
                : target;
        waiting.preparing(records -> {
            if (isRefused.get()) {
                throw new AccessRefusedException("status 401", null);
            }
        });
        FakeTargetType of = new FakeTargetType(waiting);
        FakeTask task = new FakeTask(of, clock);
        task.initialize(context);
        context.setConfigs(OLD);
        task.start(OLD);
        context.assign(List.of(partition(0)));
        task.open(List.of(partition(0)));
        awaitResumed(task);
        isRefused.set(true);
        task.put(records(0, 10, 2));
        context.revoke(List.of(partition(0)));
        task.close(List.of(partition(0)));
        context.assign(List.of(partition(0)));
        task.open(List.of(partition(0)));

        context.setConfigs(NEW);
        clock.pass(DocumentSinkTask.ASKS_EVERY);
        task.put(List.of());
        assertThat(of.openedWith()).containsExactly(OLD, NEW);
        isRefused.set(false);
        awaitResumed(task);
        assertThat(context.rewound()).as("Connect is where it began").isEmpty();
        task.put(records(0, 5, 3));
        OffsetAndMetadata read = new OffsetAndMetadata(8);
        assertThat(task.preCommit(Map.of(partition(0), read))).isEqualTo(Map.of(partition(0), read));
        assertThat(keepsOffsets ? offsets.rows(partition(0)) : writer.writtenOffsets())
                .containsExactly(5L, 6L, 7L);
        task.stop();
    }

    private void awaitResumed(FakeTask task) {
        do {
            LockSupport.parkNanos(100_000);
            task.put(List.of());
        } while (!context.paused().isEmpty());
    }

    @Test
    void startsOverAFewTimesForAnOutageWhateverItsProviderGives() {
        FakeTask task = waiting();
        giveANewPasswordAtEachRead();

        for (int start = 1; start <= DocumentSinkTask.MAX_FRUITLESS_STARTS; start++) {
            while (type.opened() == start) {
                task.put(List.of());
            }
            task.put(records(0, 1, 2));
        }
        int attempts = writer.attempts().size();
        while (writer.attempts().size() < attempts + 5) {
            task.put(List.of());
        }

        assertThat(type.opened()).isEqualTo(1 + DocumentSinkTask.MAX_FRUITLESS_STARTS);
        task.stop();
    }

    @Test
    void goesOnWaitingForAccessWhileItsSettingsCannotBeReadOrUsed() {
        FakeTask task = waiting();
        AtomicInteger reads = new AtomicInteger();
        type.setProblems(List.of(new Problem("password", "is missing")));
        context.setConfigs(() -> {
            if (reads.incrementAndGet() % 2 == 0) {
                throw new ConfigException("the file cannot be read");
            }
            return NEW;
        });

        while (reads.get() < 4) {
            task.put(List.of());
        }
        writer.comeUp();
        awaitWritten(task, 3);

        assertThat(type.openedWith()).containsExactly(OLD);
        assertThat(writer.writtenOffsets()).containsExactly(0L, 1L, 2L);
        task.stop();
    }

    @Test
    void refusesABadSettingWithKeyValueAndReasonAndOpensNothing() {
        FakeTask task = task(type);

        assertThatThrownBy(() -> task.start(Map.of("batch.size", "0")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("Invalid value 0 for configuration batch.size: Value must be at least 1");
        assertThatThrownBy(() -> task.start(Map.of("ordering", "total")))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "Invalid value total for configuration ordering: String must be one of: partition, key, none");
        assertThat(type.opened()).isZero();
    }

    @Test
    void closesTheTargetWhenAStartFails() {
        FakeTarget failing = new FakeTarget(lane -> {
            throw new ConnectException("cannot open a writer");
        });
        FakeTask task = task(new FakeTargetType(failing));

        assertThatThrownBy(() -> task.start(Map.of()))
                .isInstanceOf(ConnectException.class)
                .hasMessage("cannot open a writer");
        assertThat(failing.closes()).isEqualTo(1);
    }

    @Test
    void closesTheTargetWhenAClassIsMissing() {
        FakeTarget failing = new FakeTarget(lane -> {
            throw new NoClassDefFoundError("org/postgresql/Driver");
        });
        FakeTask task = task(new FakeTargetType(failing));

        assertThatThrownBy(() -> task.start(Map.of())).isInstanceOf(NoClassDefFoundError.class);
        assertThat(failing.closes()).isEqualTo(1);
    }

    @Test
    void takesItsLeaveQuietlyAfterAFailedStart() {
        FakeTask task = task(type);
        assertThatThrownBy(() -> task.start(Map.of("batch.size", "many"))).isInstanceOf(ConfigException.class);

        assertThatCode(() -> {
                    task.close(List.of(partition(0)));
                    task.stop();
                    task.stop();
                })
                .doesNotThrowAnyException();
        assertThat(task.preCommit(Map.of(partition(0), new OffsetAndMetadata(3))))
                .isEmpty();
        assertThatThrownBy(() -> task.put(List.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the task is not started");
    }
}
