package io.tidegate.connect.common.envelope;

import io.tidegate.connect.common.value.RefusedException;
import java.util.Set;

/**
 * Says what a value is that is no change event. Debezium writes other records beside the events, and those of two kinds
 * say nothing about rows. Pure.
 */
final class NotAnEvent {
    private static final Set<String> TIMES = Set.of("ts_ms", "ts_us", "ts_ns");

    private NotAnEvent() {}

    static RefusedException because(String reason) {
        return new RefusedException(
                "the value is no Debezium change event: " + reason + "; see " + EnvelopeSettings.VALUE_ENVELOPE);
    }

    /**
     * What an object with these fields and without {@code op} is: an event with nothing to write, because it is a sign
     * of life or marks a transaction.
     *
     * @throws RefusedException when it is anything else
     */
    static ChangeEvent eventOf(String topic, Set<String> names) {
        boolean isHeartbeat = topic.contains("heartbeat") && names.contains("ts_ms") && TIMES.containsAll(names);
        boolean isTransaction = topic.endsWith("transaction") && names.contains("status") && names.contains("id");
        if (isHeartbeat || isTransaction) {
            return ChangeEvent.NOTHING;
        }
        if (names.contains("ddl") || names.contains("tableChanges")) {
            throw because("topic " + topic + " has schema changes of the source; leave it out of the topics");
        }
        throw because("it has no `op`; if a transform such as ExtractNewRecordState takes events apart, remove it");
    }
}
