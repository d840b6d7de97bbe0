package io.tidegate.connect.check.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/**
 * A record to send.
 *
 * @param topic the suffix of the topic's name
 * @param partition modulo the partitions that the topic has
 * @param key in the notation of {@link Payload}, empty for none
 * @param value in the notation of {@link Payload}, empty for none
 * @param time milliseconds since 1970
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PlannedRecord(
        String topic, int partition, String key, String value, Map<String, String> headers, long time) {
    public PlannedRecord {
        key = key == null ? "" : key;
        value = value == null ? "" : value;
        headers = headers == null ? Map.of() : Map.copyOf(headers);
    }
}
