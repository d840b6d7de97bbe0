package io.tidegate.connect.common.settings;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * How a task forms batches and how many it writes at a time.
 *
 * @param batchRows most documents in a batch
 * @param batchBytes most JSON bytes in a batch; a single larger document is a batch alone
 * @param linger how long a batch that is not full waits for more
 * @param lanes batches that a task writes at the same time
 * @param ordering what stays in order across lanes
 */
public record LaneSettings(int batchRows, long batchBytes, Duration linger, int lanes, Ordering ordering) {
    public static final String BATCH_SIZE = "batch.size";
    public static final String BATCH_MAX_BYTES = "batch.max.bytes";
    public static final String LINGER_MS = "linger.ms";
    public static final String MAX_IN_FLIGHT_REQUESTS = "max.in.flight.requests";
    public static final String ORDERING = "ordering";

    public LaneSettings {
        requireNonNull(linger, "linger");
        requireNonNull(ordering, "ordering");
    }

    /** What a sink proposes where the user says nothing. */
    public record Defaults(int batchRows, long batchBytes, int lanes) {}

    public static ConfigDef define(ConfigDef def, Defaults defaults) {
        return new SettingGroup(def, "Batching")
                .integer(BATCH_SIZE, "Batch size", defaults.batchRows())
                .between(1, 100_000)
                .medium("Maximum records in one request to the server. A batch takes the records that arrived while the"
                        + " one before it was written, so it grows with the backlog.")
                .bytes(BATCH_MAX_BYTES, "Batch bytes", defaults.batchBytes())
                .between(1_024, 1L << 30)
                .medium("Maximum bytes of JSON in one request. A larger record is sent alone.")
                .millis(LINGER_MS, "Linger", 0)
                .between(0, 60_000)
                .low("How long a batch that is not full waits for more records, in milliseconds. Batches grow under"
                        + " load also with 0.")
                .integer(MAX_IN_FLIGHT_REQUESTS, "Requests in flight", defaults.lanes())
                .between(1, 64)
                .medium("How many requests a task may have in flight. With `ordering=partition`, each partition uses"
                        + " one of them.")
                .oneOf(ORDERING, "Ordering", Ordering.PARTITION)
                .low("Which records are written in order. `partition`: those of one partition. `key`: those with the"
                        + " same key, so that one busy partition can use all requests in flight. `none`: none.")
                .configDef();
    }

    public static LaneSettings from(AbstractConfig config) {
        return new LaneSettings(
                config.getInt(BATCH_SIZE),
                config.getLong(BATCH_MAX_BYTES),
                Duration.ofMillis(config.getLong(LINGER_MS)),
                config.getInt(MAX_IN_FLIGHT_REQUESTS),
                EnumSetting.read(config, ORDERING, Ordering.class));
    }
}
