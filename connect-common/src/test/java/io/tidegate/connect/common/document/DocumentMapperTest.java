package io.tidegate.connect.common.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.testing.Slices;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

final class DocumentMapperTest {
    private final Progress progress = Records.progress(0);

    private static DocumentMapper mapper(NullValues nullValues) {
        return new DocumentMapper(
                Records.topicsAsDestinations(),
                record -> record.key() == null
                        ? Document.NO_KEY
                        : record.key().toString().getBytes(UTF_8),
                nullValues);
    }

    @Test
    void makesADocumentWithDestinationKeyBodyAndCoordinates() {
        Document document = mapper(NullValues.FAIL)
                .map(Records.record(0, 5, "k", "{\"v\":1}"), progress)
                .orElseThrow();

        assertThat(document.destination()).isEqualTo("tides");
        assertThat(document.key()).asString(UTF_8).isEqualTo("k");
        assertThat(document.json().bytes()).asString(UTF_8).isEqualTo("{\"v\":1}");
        assertThat(document.isDelete()).isFalse();
        assertThat(document).hasToString("tides-0@5");
    }

    @Test
    void weighsWhatAPausedTaskHolds() {
        byte[] json = "{\"v\":1}".getBytes(UTF_8);
        SinkRecord bytes = new SinkRecord("tides", 0, null, null, null, json, 5);
        Document shared = mapper(NullValues.FAIL).map(bytes, progress).orElseThrow();
        Document converted = mapper(NullValues.FAIL)
                .map(Records.record(0, 5, "k", "{\"v\":1}"), progress)
                .orElseThrow();
        SinkRecord withHeader = new SinkRecord("tides", 0, null, null, null, json, 5);
        withHeader.headers().addString("trace", "0123456789");

        assertThat(shared.bytesHeld()).isEqualTo(HeapWeight.RECORD + 7);
        assertThat(shared.record()).isSameAs(bytes);
        assertThat(converted.bytesHeld())
                .as("what the consumer fetched, and the body")
                .isGreaterThan((int) HeapWeight.RECORD + 7 + 7);
        assertThat(converted.record().value())
                .as("the converted value is let go")
                .isSameAs(converted.json());
        assertThat(mapper(NullValues.FAIL)
                        .map(withHeader, progress)
                        .orElseThrow()
                        .bytesHeld())
                .isGreaterThan(shared.bytesHeld() + 20);
    }

    @Test
    void sharesTheBytesOfASlice() {
        ByteSlice json = Slices.inside("{\"v\":1}".getBytes(UTF_8));
        SinkRecord sliced = new SinkRecord("tides", 0, null, null, null, json, 5);
        SinkRecord alone = new SinkRecord("tides", 0, null, null, null, json.bytes(), 5);

        Document document = mapper(NullValues.FAIL).map(sliced, progress).orElseThrow();

        assertThat(document.json()).isSameAs(json);
        assertThat(document.record()).isSameAs(sliced);
        assertThat(document.bytesHeld()).isEqualTo(HeapWeight.RECORD + json.array().length);
        assertThat(document.fingerprint().hash())
                .as("these may not be all bytes of the value in Kafka")
                .isEmpty();
        assertThat(mapper(NullValues.FAIL).map(alone, progress).orElseThrow().fingerprint())
                .isEqualTo(Fingerprint.of(alone));
    }

    @Test
    void passesNullValuesOver() {
        assertThat(mapper(NullValues.IGNORE).map(Records.record(0, 5, "k", null), progress))
                .isEmpty();
    }

    @Test
    void refusesNullValues() {
        assertThatThrownBy(() -> mapper(NullValues.FAIL).map(Records.record(0, 5, "k", null), progress))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the value is null, and null values are refused");
    }

    @Test
    void deletesByKey() {
        Document document = mapper(NullValues.DELETE)
                .map(Records.record(0, 5, "k", null), progress)
                .orElseThrow();

        assertThat(document.isDelete()).isTrue();
        assertThat(document.key()).asString(UTF_8).isEqualTo("k");
        assertThat(document.json().isEmpty()).isTrue();
    }

    @Test
    void refusesADeletionWithoutAKey() {
        assertThatThrownBy(() -> mapper(NullValues.DELETE).map(Records.record(0, 5, null, null), progress))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the value is null and the record has no key that names what to delete");
        assertThatThrownBy(() -> Document.delete(Records.record(0, 5), progress, "tides", Document.NO_KEY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a deletion needs a key");
    }

    @Test
    void keepsTheOffsetThatTheRecordHadBeforeTransforms() {
        SinkRecord record = Records.record(0, 5);
        SinkRecord renamed =
                record.newRecord("elsewhere", 0, null, null, record.valueSchema(), record.value(), record.timestamp());

        Document document = mapper(NullValues.FAIL).map(renamed, progress).orElseThrow();

        assertThat(document.destination()).isEqualTo("elsewhere");
        assertThat(document.offset()).isEqualTo(5);
    }
}
