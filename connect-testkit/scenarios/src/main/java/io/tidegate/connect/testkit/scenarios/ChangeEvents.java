package io.tidegate.connect.testkit.scenarios;

import org.apache.kafka.clients.producer.ProducerRecord;

/** Change events as Debezium's PostgreSQL connector sends them, as JSON. */
public final class ChangeEvents {
    private static final String SCHEMA = """
        {"type":"struct","fields":[{"type":"struct","fields":[\
        {"type":"int64","optional":false,"field":"id"},\
        {"type":"string","optional":true,"name":"io.debezium.data.Json","version":1,"field":"details"}],\
        "optional":true,"field":"after"},{"type":"string","optional":false,"field":"op"}],\
        "optional":false,"name":"server.public.orders.Envelope"}\
        """;

    private ChangeEvents() {}

    /** The row 1 was read for a snapshot. Key and value have their schemas, and {@code details} is JSON in a string. */
    public static ProducerRecord<String, String> snapshot(String topic, long lsn) {
        String row = "{\"id\":1,\"details\":\"{\\\"city\\\":\\\"Seattle\\\"}\"}";
        return new ProducerRecord<>(
                topic,
                "{\"schema\":{\"type\":\"struct\"},\"payload\":{\"id\":1}}",
                withSchema(value("r", lsn, "null", row)));
    }

    /** A row was inserted or updated. */
    public static ProducerRecord<String, String> written(
            String topic, String operation, long lsn, String key, String row) {
        return new ProducerRecord<>(topic, key, value(operation, lsn, "null", row));
    }

    /** A row was deleted; {@code row} is what the event tells of it, or null as JSON. */
    public static ProducerRecord<String, String> deleted(String topic, long lsn, String key, String row) {
        return new ProducerRecord<>(topic, key, value("d", lsn, row, "null"));
    }

    /** What follows a deletion. */
    public static ProducerRecord<String, String> tombstone(String topic, String key) {
        return new ProducerRecord<>(topic, key, null);
    }

    /** An event's value without a schema. */
    public static String value(String operation, long lsn, String before, String after) {
        return "{\"before\":" + before + ",\"after\":" + after
                + ",\"source\":{\"version\":\"3.6.0.Final\",\"connector\":\"postgresql\",\"name\":\"server\",\"ts_ms\":1767225600000,"
                + "\"snapshot\":\"false\",\"db\":\"shop\",\"sequence\":\"[null,\\\"" + lsn
                + "\\\"]\",\"schema\":\"public\",\"table\":\"orders\",\"txId\":771,\"lsn\":" + lsn
                + ",\"xmin\":null},\"transaction\":null,\"op\":\"" + operation + "\",\"ts_ms\":1767225600001}";
    }

    /** The same value with a schema, which says that {@code details} is JSON. */
    public static String withSchema(String value) {
        return "{\"schema\":" + SCHEMA + ",\"payload\":" + value + "}";
    }
}
