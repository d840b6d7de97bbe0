package io.tidegate.connect.common.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.task.DocumentSinkTask;
import io.tidegate.connect.common.testing.FakeErrantRecordReporter;
import io.tidegate.connect.common.testing.FakeSinkTaskContext;
import io.tidegate.connect.common.testing.FakeTarget;
import io.tidegate.connect.common.testing.FakeTargetType;
import io.tidegate.connect.common.testing.FakeWriter;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.storage.ConverterConfig;
import org.apache.kafka.connect.storage.ConverterType;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Dead letters through a whole task: what is written, reported and committed. */
@Timeout(60)
final class RedriveTest {
    private static final TopicPartition LETTERS = new TopicPartition("tides-dlq", 0);
    private static final long TIME = 1_717_243_200_000L;

    private final FakeWriter writer = new FakeWriter();
    private final FakeTarget target = new FakeTarget(lane -> writer, NullValues.DELETE, false).redriving(2);
    private final FakeErrantRecordReporter reporter = new FakeErrantRecordReporter();
    private final FakeSinkTaskContext context = new FakeSinkTaskContext(reporter);
    private final FakeTask task = new FakeTask(new FakeTargetType(target));

    private static final class FakeTask extends DocumentSinkTask {
        FakeTask(FakeTargetType type) {
            super(type);
        }
    }

    @BeforeEach
    void start() {
        task.initialize(context);
        task.start(Map.of("name", "redrive", "errors.tolerance", "all"));
        context.assign(List.of(LETTERS));
        task.open(List.of(LETTERS));
    }

    @AfterEach
    void stop() {
        task.stop();
    }

    /** A letter with headers as Connect reads them with its standard header converter. */
    private static SinkRecord letter(long at, String key, String value, Headers headers) {
        return new SinkRecord(
                LETTERS.topic(),
                LETTERS.partition(),
                Schema.OPTIONAL_STRING_SCHEMA,
                key,
                Schema.OPTIONAL_STRING_SCHEMA,
                value,
                at,
                TIME,
                TimestampType.CREATE_TIME,
                headers);
    }

    private static Headers headers(String... namesAndValues) {
        SimpleHeaderConverter converter = new SimpleHeaderConverter();
        converter.configure(Map.of(ConverterConfig.TYPE_CONFIG, ConverterType.HEADER.getName()));
        Headers headers = new ConnectHeaders();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(
                    namesAndValues[i],
                    converter.toConnectHeader(
                            LETTERS.topic(), namesAndValues[i], namesAndValues[i + 1].getBytes(UTF_8)));
        }
        return headers;
    }

    private static Headers from(String topic, int partition, long offset) {
        return headers(
                "trace",
                "a1",
                LetterHeaders.TOPIC,
                topic,
                LetterHeaders.PARTITION,
                String.valueOf(partition),
                LetterHeaders.OFFSET,
                String.valueOf(offset),
                LetterHeaders.MESSAGE,
                "no {\"kind\":\"constraint\"}");
    }

    private static Headers again(Headers before, String... namesAndValues) {
        Headers headers = before.duplicate();
        headers(namesAndValues).forEach(headers::add);
        return headers;
    }

    private long committed(long next) {
        return task.preCommit(Map.of(LETTERS, new OffsetAndMetadata(next)))
                .get(LETTERS)
                .offset();
    }

    @Test
    void writesTheOriginalRecordAndCommitsTheLettersOffset() {
        task.put(List.of(letter(7, "k", "{\"v\":1}", from("tides", 3, 40_000_000_000L))));

        assertThat(committed(8)).isEqualTo(8);
        Document written = writer.written().get(0);
        assertThat(written.destination()).isEqualTo("tides");
        assertThat(written.topicUtf8()).asString(UTF_8).isEqualTo("tides");
        assertThat(written.partition()).isEqualTo(3);
        assertThat(written.recordOffset()).isEqualTo(40_000_000_000L);
        assertThat(written.offset()).isEqualTo(7);
        assertThat(written.progress().partition()).isEqualTo(LETTERS);
        assertThat(written.record().originalTopic()).isEqualTo("tides");
        assertThat(written.record().timestamp()).isEqualTo(TIME);
        assertThat(written.record().headers()).hasSize(1).allMatch(header -> header.key()
                .equals("trace"));
        assertThat(written.json().bytes()).asString(UTF_8).isEqualTo("{\"v\":1}");
    }

    @Test
    void theFirstRefusalSaysWhereARecordComesFrom() {
        Headers twice = again(
                from("tides", 3, 40),
                LetterHeaders.TOPIC,
                "tides-dlq",
                LetterHeaders.PARTITION,
                "0",
                LetterHeaders.OFFSET,
                "7");

        task.put(List.of(letter(0, "k", "{}", twice)));

        assertThat(committed(1)).isEqualTo(1);
        assertThat(writer.written()).hasSize(1);
        assertThat(writer.written().get(0).recordOffset()).isEqualTo(40);
    }

    @Test
    void reportsTheLetterAndNotTheRecord() {
        writer.refusing(1L);
        SinkRecord poison = letter(1, "b", "{}", from("tides", 0, 41));

        task.put(List.of(letter(0, "a", "{}", from("tides", 0, 40)), poison));

        assertThat(committed(2)).isEqualTo(2);
        assertThat(reporter.reports()).hasSize(1);
        assertThat(reporter.reports().get(0).record()).isSameAs(poison);
        assertThat(writer.writtenOffsets()).containsExactly(0L);
    }

    @Test
    void leavesARecordThatWasRefusedTooOftenWhereItIs() {
        Headers twice = again(from("tides", 3, 40), LetterHeaders.TOPIC, "tides-dlq");
        Headers thrice = again(twice, LetterHeaders.TOPIC, "parking");

        task.put(List.of(letter(0, "a", "{}", twice), letter(1, "b", "{}", thrice)));

        assertThat(committed(2)).isEqualTo(2);
        assertThat(writer.writtenOffsets()).containsExactly(0L);
        assertThat(reporter.reports()).isEmpty();
        assertThat(context.shown().value("records-skipped-total")).isEqualTo(1);
    }

    @Test
    void refusesALetterThatDoesNotSayWhereItComesFrom() {
        task.put(List.of(
                letter(0, "a", "{}", headers("trace", "a1")),
                letter(1, "b", "{}", headers(LetterHeaders.TOPIC, "tides", LetterHeaders.PARTITION, "x"))));

        assertThat(committed(2)).isEqualTo(2);
        assertThat(writer.written()).isEmpty();
        assertThat(reporter.reports()).hasSize(2).allSatisfy(report -> assertThat(report.error())
                .hasMessageContaining("errors.deadletterqueue.context.headers.enable=true"));
    }

    @Test
    void refusesADeletionThatNothingGuards() {
        task.put(List.of(letter(0, "a", null, from("tides", 0, 40))));

        assertThat(committed(1)).isEqualTo(1);
        assertThat(writer.written()).isEmpty();
        assertThat(reporter.reports()).hasSize(1);
        assertThat(reporter.reports().get(0).error()).hasMessageEndingWith("{\"kind\":\"unguarded\"}");
    }

    @Test
    void deletesWhereTheServerComparesTheRecordWithWhatItWouldDelete() {
        task.stop();
        target.guardingDeletions();
        start();

        task.put(List.of(letter(0, "a", null, from("tides", 0, 40))));

        assertThat(committed(1)).isEqualTo(1);
        assertThat(writer.written()).hasSize(1).allMatch(Document::isDelete);
    }

    @Test
    void keepsTheTopicThatATransformHasChosen() {
        SinkRecord renamed =
                letter(0, "a", "{}", from("tides", 0, 40)).newRecord("routed", 0, null, "a", null, "{}", TIME);
        assertThat(Redrive.of(new RedriveSettings(true, 1), false).orElseThrow().recordOf(renamed))
                .get()
                .satisfies(record -> {
                    assertThat(record.topic()).isEqualTo("routed");
                    assertThat(record.originalTopic()).isEqualTo("tides");
                    assertThat(record.originalKafkaOffset()).isEqualTo(40);
                });
    }
}
