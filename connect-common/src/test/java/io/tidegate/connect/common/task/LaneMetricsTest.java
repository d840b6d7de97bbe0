package io.tidegate.connect.common.task;

import static io.tidegate.connect.common.testing.Records.documents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tidegate.connect.common.delivery.AttemptObserver;
import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.delivery.PostponedDestinations;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.recovery.Redeliveries;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.testing.FakeWriter;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.testing.TestClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class LaneMetricsTest {
    private static final Percentage ABOUT = Percentage.withPercentage(1);

    private final TestClock clock = new TestClock();
    private final TaskMetrics metrics = new TaskMetrics(
            clock,
            () -> 0,
            () -> 0,
            () -> 0,
            new PostponedDestinations("memory", clock),
            new DeadLetters(Optional.empty(), true, clock),
            new Redeliveries());
    private final FakeWriter fake = new FakeWriter();
    private final ObservedWriter writer = new ObservedWriter(fake);
    private final Progress progress = Records.progress(0);

    /** A writer whose attempts the metrics of a lane observe, as in a delivery. */
    private final class ObservedWriter {
        private final FakeWriter writer;
        private final LaneMetrics observer;

        ObservedWriter(FakeWriter writer) {
            this.writer = writer;
            this.observer = new LaneMetrics(writer, metrics);
        }

        void write(List<Document> documents) throws WriteException {
            long begin = clock.nanoTime();
            try {
                List<Refusal> named = writer.write(documents);
                observer.attempted(documents, named, Optional.empty(), clock.nanoTime() - begin);
            } catch (WriteException e) {
                observer.attempted(documents, e.refusals(), Optional.of(e), clock.nanoTime() - begin);
                throw e;
            }
        }
    }

    private double read(String name) {
        return metrics.all().stream()
                .filter(metric -> metric.name().equals(name))
                .map(metric -> metric.value().get().doubleValue())
                .findFirst()
                .orElseThrow(() -> new AssertionError(name));
    }

    private static double bytes(List<Document> documents) {
        return documents.stream().mapToInt(each -> each.json().length()).sum();
    }

    private void failing(List<Document> documents) {
        assertThatThrownBy(() -> writer.write(documents)).isInstanceOf(WriteException.class);
    }

    @Test
    void countsAndTimesWhatWasWritten() throws WriteException {
        List<Document> documents = documents(progress, 0, 100);
        fake.then(attempted -> {
            clock.advance(Duration.ofMillis(250));
            return List.of();
        });

        writer.write(documents);
        writer.write(documents(progress, 100, 1));

        assertThat(read("records-written-total")).isEqualTo(101);
        assertThat(read("bytes-written-total")).isEqualTo(bytes(documents(progress, 0, 101)));
        assertThat(read("batches-written-total")).isEqualTo(2);
        assertThat(read("batch-rows-max")).isEqualTo(100);
        assertThat(read("batch-rows-avg")).isCloseTo(50.5, ABOUT);
        assertThat(read("batch-bytes-max")).isCloseTo(bytes(documents), ABOUT);
        assertThat(read("write-latency-ms-max")).isCloseTo(250, ABOUT);
        assertThat(read("write-latency-ms-p50")).isCloseTo(0, within(0.001));
    }

    @Test
    void leavesOutWhatWasRefused() throws WriteException {
        fake.refusing(1L);

        writer.write(documents(progress, 0, 3));

        assertThat(read("records-written-total")).isEqualTo(2);
        assertThat(read("bytes-written-total"))
                .isEqualTo(bytes(documents(progress, 0, 1)) + bytes(documents(progress, 2, 1)));
    }

    @Test
    void countsWhatAFailedAttemptWroteAllTheSame() {
        fake.thenWriteOnly("busy", 0L, 2L);

        failing(documents(progress, 0, 3));

        assertThat(read("records-written-total")).isEqualTo(2);
        assertThat(read("bytes-written-total"))
                .isEqualTo(bytes(documents(progress, 0, 1)) + bytes(documents(progress, 2, 1)));
        assertThat(read("batches-written-total")).isEqualTo(1);
        assertThat(read("retries-transient-total")).isEqualTo(1);
    }

    @Test
    void countsFailuresByClass() {
        fake.thenFail(Failure.TRANSIENT, "down")
                .thenFail(Failure.TRANSIENT, "down")
                .thenFail(Failure.REJECTED, "bad")
                .thenFail(Failure.FATAL, "no such table");

        for (int attempt = 0; attempt < 4; attempt++) {
            failing(documents(progress, 0, 3));
        }

        assertThat(read("retries-transient-total")).isEqualTo(2);
        assertThat(read("retries-rejected-total")).isEqualTo(1);
        assertThat(read("failures-fatal-total")).isEqualTo(1);
        assertThat(read("records-written-total")).isZero();
        assertThat(read("batch-rows-max")).isNaN();
    }

    @Test
    void timesAnOutageOverAllWriters() throws WriteException {
        FakeWriter otherFake = new FakeWriter().thenFail(Failure.TRANSIENT, "down");
        ObservedWriter other = new ObservedWriter(otherFake);
        fake.thenFail(Failure.TRANSIENT, "down").thenFail(Failure.TRANSIENT, "down");

        failing(documents(progress, 0, 1));
        clock.advance(Duration.ofSeconds(2));
        failing(documents(progress, 0, 1));
        assertThatThrownBy(() -> other.write(documents(progress, 1, 1))).isInstanceOf(WriteException.class);
        clock.advance(Duration.ofSeconds(3));
        writer.write(documents(progress, 0, 1));
        assertThat(read("outage-ms")).isEqualTo(5_000);

        other.write(documents(progress, 1, 1));
        clock.advance(Duration.ofSeconds(7));
        assertThat(read("outage-ms")).isZero();
        assertThat(read("outage-ms-total")).isEqualTo(5_000);
    }

    @Test
    void endsAnOutageWithAnAnswerThatIsARejection() {
        fake.thenFail(Failure.TRANSIENT, "down").thenFail(Failure.REJECTED, "bad");

        failing(documents(progress, 0, 1));
        failing(documents(progress, 0, 1));

        clock.advance(Duration.ofSeconds(2));
        assertThat(read("outage-ms")).isZero();
    }

    /** It is tried again without end, as in an outage; fewer records are tried first. */
    @Test
    void isInAnOutageWhileOneRecordAloneIsTooMuch() {
        fake.thenFail(Failure.TOO_MUCH, "slow").thenFail(Failure.TOO_MUCH, "slow");

        failing(documents(progress, 0, 2));
        clock.advance(Duration.ofSeconds(2));
        assertThat(read("outage-ms")).isZero();

        failing(documents(progress, 0, 1));
        clock.advance(Duration.ofSeconds(2));
        assertThat(read("outage-ms")).isEqualTo(2_000);
    }

    @Test
    void tellsHowOldRecordsAreWhenTheyAreWritten() throws WriteException {
        SinkRecord record = new SinkRecord(
                Records.TOPIC, 0, null, null, null, "{}", 0, clock.currentTimeMillis(), TimestampType.CREATE_TIME);
        clock.advance(Duration.ofSeconds(40));

        writer.write(List.of(Document.write(record, progress, "tides", Document.NO_KEY, new byte[] {'{', '}'})));
        writer.write(documents(progress, 1, 1)); // without a timestamp

        assertThat(read("record-age-ms-p50")).isCloseTo(40_000, ABOUT);
        assertThat(read("record-age-ms-max")).isCloseTo(40_000, ABOUT);
    }

    @Test
    void countsWhatWritersKeep() {
        BatchWriter keeping = (BatchWriter) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {BatchWriter.class},
                (self, method, args) -> method.getReturnType() == long.class ? 3L : Optional.empty());

        AttemptObserver unused = new LaneMetrics(keeping, metrics);

        assertThat(unused).isNotNull();
        assertThat(read("records-kept-total")).isEqualTo(3);
    }

    @Test
    void aDestinationThatTakesNothingIsAnOutageOnlyWhereNothingElseIsWritten() throws Exception {
        fake.closing("blocked");
        writeAndIgnore(List.of(Records.documentFor("blocked", progress, 1)));
        clock.advance(Duration.ofSeconds(3));
        assertThat(read("outage-ms")).isEqualTo(3_000);

        writeAndIgnore(List.of(Records.documentFor("blocked", progress, 1), Records.documentFor("good", progress, 2)));
        assertThat(read("outage-ms")).isZero();
    }

    private void writeAndIgnore(List<Document> documents) {
        try {
            writer.write(documents);
        } catch (WriteException e) {
            assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        }
    }

    @Test
    void listsEveryMetricOnceWithUnitAndDescription() {
        List<Metric> all = TaskMetrics.described();

        assertThat(all).extracting(Metric::name).doesNotHaveDuplicates();
        assertThat(all).allSatisfy(metric -> {
            assertThat(metric.name()).matches("[a-z][a-z0-9-]*");
            assertThat(metric.unit()).isNotBlank();
            assertThat(metric.description()).matches("[A-Z].*\\.");
            assertThat(metric.value().get()).isNotNull();
        });
    }
}
