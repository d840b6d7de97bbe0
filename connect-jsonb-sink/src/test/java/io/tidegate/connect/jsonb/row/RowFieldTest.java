package io.tidegate.connect.jsonb.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import java.sql.SQLException;
import java.time.Instant;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RowFieldTest {
    private static final Instant EPOCH_OF_POSTGRES = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("+294276-12-31T23:59:59.999Z");

    private static Document at(Long timestamp) {
        byte[] json = {'1'};
        SinkRecord record = new SinkRecord("tides", 0, null, null, null, json, 0, timestamp, TimestampType.CREATE_TIME);
        return Document.write(record, new Progress(new TopicPartition("tides", 0), 1), "t", Document.NO_KEY, json);
    }

    @Test
    void countsTimestampsInMicrosecondsSince2000() throws SQLException {
        assertThat(RowField.TIMESTAMP.number(at(EPOCH_OF_POSTGRES.toEpochMilli())))
                .isZero();
        assertThat(RowField.TIMESTAMP.number(at(LAST.toEpochMilli())))
                .isEqualTo((LAST.toEpochMilli() - EPOCH_OF_POSTGRES.toEpochMilli()) * 1_000);
        assertThat(RowField.TIMESTAMP.number(at(null))).isEqualTo(RowField.NO_NUMBER);
        assertThat(RowField.TIMESTAMP.number(at(-1L))).isEqualTo(RowField.NO_NUMBER);
    }

    @ParameterizedTest
    @ValueSource(longs = {9_224_318_016_000_000L, 1_700_000_000_000_000_000L, Long.MAX_VALUE})
    void refusesATimestampThatPostgresCannotHold(long timestamp) {
        assertThatThrownBy(() -> RowField.TIMESTAMP.number(at(timestamp)))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22008"))
                .hasMessageContaining("may not count in milliseconds");
    }
}
