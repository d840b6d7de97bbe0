package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.Documents;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EventTimeTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "\"2024-02-29T12:30:45.123456789Z\", millis, 2024-02-29T12:30:45.123456789Z",
                "\"2024-02-29t12:30:45z\", millis, 2024-02-29T12:30:45Z",
                "\"2024-02-29 12:30:45+02:00\", millis, 2024-02-29T10:30:45Z",
                "\"2024-02-29T12:30+0200\", millis, 2024-02-29T10:30:00Z",
                "\"2024-02-29T12:30:45\", millis, 2024-02-29T12:30:45Z",
                "\"2024-02-29\", millis, 2024-02-29T00:00:00Z",
                "1700000000123, millis, 2023-11-14T22:13:20.123Z",
                "\"1700000000123\", millis, 2023-11-14T22:13:20.123Z",
                "1.700000000123E12, millis, 2023-11-14T22:13:20.123Z",
                "1700000000, seconds, 2023-11-14T22:13:20Z",
                "1700000000.25, seconds, 2023-11-14T22:13:20.250Z",
                "1700000000123456, micros, 2023-11-14T22:13:20.123456Z",
                "1700000000123456789, nanos, 2023-11-14T22:13:20.123456789Z",
                "-0.5, seconds, 1969-12-31T23:59:59.500Z",
                "0, micros, 1970-01-01T00:00:00Z"
            })
    void readsTextAndNumbers(String json, String unit, Instant time) {
        EventTime eventTime = settings("event.time", "${field:$.t}", "event.time.unit", unit);
        assertThat(of(eventTime, record("{\"t\":" + json + "}"))).contains(time);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"t\":null}",
                "{\"t\":\"\"}",
                "{\"t\":{}}",
                "{\"t\":true}",
                "{\"t\":\"yesterday\"}",
                "{\"t\":\"2024-02-30\"}",
                "{\"t\":\"2024-02-29T12:30:45Zx\"}",
                "{\"t\":\"+12024-02-29\"}",
                "{\"t\":1e99}",
                "{\"t\":1e999999999}",
                "{\"t\":999999999999999999999999999999}",
                "{\"t\":-1000000000000000}",
                "{\"t\"",
                "[]"
            })
    void takesTheTimestampOrRefusesARecordWithoutATime(String json) {
        SinkRecord record = record(json);
        assertThat(of(settings("event.time", "${field:$.t}"), record)).contains(Instant.ofEpochMilli(7_000));
        EventTime strict = settings("event.time", "${field:$.t}", "behavior.on.missing.event.time", "fail");
        assertThatThrownBy(() -> of(strict, record))
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("the record gives no time for event.time: ")
                .hasMessageEndingWith("; see behavior.on.missing.event.time")
                .hasMessageNotContainingAny("yesterday", "2024", "99999");
    }

    /** By Debezium's adaptive precision, the default, a date is a number of days. */
    @ParameterizedTest
    @CsvSource({
        "io.debezium.time.Date, 20500, 2026-02-16T00:00:00Z",
        "io.debezium.time.Timestamp, 1700000000123, 2023-11-14T22:13:20.123Z",
        "io.debezium.time.MicroTimestamp, 1700000000123456, 2023-11-14T22:13:20.123456Z",
        "io.debezium.time.NanoTimestamp, 1700000000123456789, 2023-11-14T22:13:20.123456789Z",
        "another, 1700000000, 2023-11-14T22:13:20Z",
        ", 1700000000, 2023-11-14T22:13:20Z"
    })
    void takesTheUnitOfDebeziumsSchema(String name, String number, Instant time) {
        Schema schema = SchemaBuilder.struct()
                .field("t", SchemaBuilder.int64().name(name).build())
                .build();
        SinkRecord record = new SinkRecord("t", 0, null, null, schema, "{\"t\":" + number + "}", 0);

        assertThat(of(settings("event.time", "${field:$.t}", "event.time.unit", "seconds"), record))
                .contains(time);
    }

    @Test
    void takesTheFirstOfItsSourcesThatTheRecordHas() {
        EventTime eventTime = settings("event.time", "${header:time},${field:$.a},${field:$.b}T${field:$.c}");
        assertThat(of(eventTime, record("{\"b\":\"2024-01-01\",\"c\":\"12:00:00Z\"}")))
                .contains(Instant.parse("2024-01-01T12:00:00Z"));
        assertThat(of(eventTime, record("{\"a\":5,\"b\":\"2024-01-01\",\"c\":\"12:00:00Z\"}")))
                .contains(Instant.ofEpochMilli(5));
        SinkRecord record = record("{\"a\":5}");
        record.headers().addLong("time", 6);
        assertThat(of(eventTime, record)).contains(Instant.ofEpochMilli(6));
    }

    @Test
    void hasNoneForARecordWithoutATimestamp() {
        assertThat(of(settings(), Documents.record("k", "{}", 0))).isEmpty();
        assertThat(of(settings("event.time", "${field:$.t}"), Documents.record("k", "{}", 0)))
                .isEmpty();
    }

    private static Optional<Instant> of(EventTime eventTime, SinkRecord record) {
        return new RecordFields(eventTime.fields(), eventTime).timeOf(record);
    }

    private static SinkRecord record(String json) {
        return new SinkRecord("tides", 0, null, null, null, json, 0, 7_000L, TimestampType.CREATE_TIME, List.of());
    }

    private static EventTime settings(String... settings) {
        Map<String, String> props = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            props.put(settings[i], settings[i + 1]);
        }
        return EventTime.from(Parsed.config(DocumentSettings::define, props));
    }
}
