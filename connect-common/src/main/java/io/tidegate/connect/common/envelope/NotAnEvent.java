package io.tidegate.connect.common.envelope;

import io.tidegate.connect.common.value.RefusedException;
import java.util.Set;

/**
 * Says what a value is that is no change event. Debezium writes other records beside the events, and those of two kinds
 * say nothing about rows. Pure.
 */
final class NotAnEvent {
    private static final Set<String> OF_HEARTBEAT = Set.of("ts_ms");
    private static final Set<String> OF_HEARTBEATS_KEY = Set.of("serverName");
    private static final Set<String> OF_TRANSACTION =
            Set.of("status", "id", "event_count", "data_collections", "ts_ms");

    private NotAnEvent() {}

    static RefusedException because(String reason) {
        return new RefusedException(
                "the value is no Debezium change event: " + reason + "; see " + EnvelopeSettings.VALUE_ENVELOPE);
    }

    /**
     * What a record without {@code op} is, if all its fields show that it says nothing about a row. A topic's name shows
     * nothing, because tables may have any name.
     *
     * @param keys names of the key's fields
     * @throws RefusedException when it is anything else
     */
    static String kindOf(String topic, Set<String> keys, Set<String> names) {
        if (names.equals(OF_HEARTBEAT) && keys.equals(OF_HEARTBEATS_KEY)) {
            return "heartbeats";
        }
        if (names.equals(OF_TRANSACTION)) {
            return "begins and ends of transactions";
        }
        if (names.contains("ddl") || names.contains("tableChanges")) {
            throw because("topic " + topic + " has schema changes of the source; leave it out of the topics");
        }
        throw because("it has no `op`; if a transform such as ExtractNewRecordState takes events apart, remove it");
    }
}
