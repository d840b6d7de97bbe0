package io.tidegate.connect.common.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.common.document.Envelope;
import io.tidegate.connect.common.envelope.EnvelopeSettings.Truncates;
import io.tidegate.connect.common.envelope.EnvelopeSettings.UnavailableValues;
import io.tidegate.connect.common.value.ByteSlice;
import java.util.List;
import org.apache.kafka.connect.sink.SinkRecord;

/** Change events as Debezium's PostgreSQL connector writes them, and envelopes with the default settings. */
final class Events {
    static final String TOPIC = "server.public.orders";

    static final String SOURCE = """
        {"version":"3.6.0.Final","connector":"postgresql","name":"server","ts_ms":1767225600000,\
        "snapshot":"false","db":"shop","sequence":"[\\"24023128\\",\\"24023200\\"]","ts_us":1767225600000123,\
        "ts_ns":1767225600000123000,"schema":"public","table":"orders","txId":771,"lsn":24023200,"xmin":null}\
        """;

    /** The schema of a row with a {@code jsonb} column, as Kafka's JSON converter writes it. */
    static final String SCHEMA = """
        {"type":"struct","fields":[\
        {"type":"struct","fields":[{"type":"int64","optional":false,"field":"id"},\
        {"type":"string","optional":true,"name":"io.debezium.data.Json","version":1,"field":"old"}],\
        "optional":true,"name":"server.public.orders.Value","field":"before"},\
        {"type":"struct","fields":[{"type":"int64","optional":false,"field":"id"},\
        {"type":"string","optional":true,"name":"io.debezium.data.Json","version":1,"field":"doc"},\
        {"type":"array","items":{"type":"string","optional":true},"optional":true,"field":"tags"}],\
        "optional":true,"name":"server.public.orders.Value","field":"after"},\
        {"type":"string","optional":false,"field":"op"}],"optional":false,"name":"server.public.orders.Envelope"}\
        """;

    private Events() {}

    static String event(String operation, String before, String after) {
        return "{\"before\":" + before + ",\"after\":" + after + ",\"source\":" + SOURCE
                + ",\"transaction\":null,\"op\":\"" + operation
                + "\",\"ts_ms\":1767225600001,\"ts_us\":1767225600001000,\"ts_ns\":1767225600001000000}";
    }

    static String withSchema(String payload) {
        return "{\"schema\":" + SCHEMA + ",\"payload\":" + payload + "}";
    }

    static SinkRecord record(Object key, Object value) {
        return record(TOPIC, key, value);
    }

    static SinkRecord record(String topic, Object key, Object value) {
        return new SinkRecord(topic, 0, null, key, null, value, 7);
    }

    static SinkRecord json(String value) {
        return record("{\"id\":1}".getBytes(UTF_8), value.getBytes(UTF_8));
    }

    static EnvelopeSettings settings() {
        return settings(UnavailableValues.FAIL, EnvelopeSettings.AUTO);
    }

    static EnvelopeSettings settings(UnavailableValues unavailable, String... jsonColumns) {
        return new EnvelopeSettings(
                EnvelopeSettings.Form.DEBEZIUM,
                Truncates.FAIL,
                unavailable,
                EnvelopeSettings.DEFAULT_PLACEHOLDER,
                List.of(jsonColumns));
    }

    static Envelope envelope() {
        return envelope(settings());
    }

    static Envelope envelope(EnvelopeSettings settings) {
        return settings.open(EnvelopeSettings.KeyForm.TEXT, true, tombstone -> true, List.of())
                .orElseThrow();
    }

    /** The row of a change, or {@code null} as text when there is none. */
    static String row(Envelope.Change change) {
        return change.record().value() instanceof ByteSlice row
                ? new String(row.array(), row.from(), row.length(), UTF_8)
                : String.valueOf(change.record().value());
    }
}
