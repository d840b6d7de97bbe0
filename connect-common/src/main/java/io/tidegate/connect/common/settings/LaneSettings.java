package io.tidegate.connect.common.settings;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Locale;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * How a task forms batches and how many it writes at a time.
 *
 * @param batchRows most documents in a batch
 * @param batchBytes most JSON bytes in a batch; a single larger document makes a batch of its own
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

    private static final String GROUP = "Batching";

    public LaneSettings {
        requireNonNull(linger, "linger");
        requireNonNull(ordering, "ordering");
    }

    /** What a sink proposes where the user says nothing. */
    public record Defaults(int batchRows, long batchBytes, int lanes) {}

    public static ConfigDef define(ConfigDef def, Defaults defaults) {
        int order = 0;
        return def.define(
                        BATCH_SIZE,
                        Type.INT,
                        defaults.batchRows(),
                        Range.between(1, 100_000),
                        Importance.MEDIUM,
                        "Most records in one request to the server. A batch takes what has queued up while the one before"
                                + " it was written: it grows with the backlog, and is a single record when there is none.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Batch size")
                .define(
                        BATCH_MAX_BYTES,
                        Type.LONG,
                        defaults.batchBytes(),
                        Range.between(1_024, 1L << 30),
                        Importance.MEDIUM,
                        "Most bytes of JSON in one request to the server. A single larger record is sent alone.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Batch bytes")
                .define(
                        LINGER_MS,
                        Type.LONG,
                        0L,
                        Range.between(0, 60_000),
                        Importance.LOW,
                        "How long a batch that is not full waits for more records, in milliseconds. 0 writes at once; batches"
                                + " still grow under load.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Linger")
                .define(
                        MAX_IN_FLIGHT_REQUESTS,
                        Type.INT,
                        defaults.lanes(),
                        Range.between(1, 64),
                        Importance.MEDIUM,
                        "Requests that a task has under way at the same time. Each partition keeps to one of them, so order"
                                + " within a partition does not depend on this setting.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Requests in flight")
                .define(
                        ORDERING,
                        Type.STRING,
                        Ordering.PARTITION.settingName(),
                        ValidString.in(Ordering.settingNames()),
                        Importance.LOW,
                        "What is written in order: `partition` keeps the records of a partition in order; `key` those with the"
                                + " same key, so that one busy partition can use every request in flight; `none` keeps no"
                                + " order, for appending.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Ordering");
    }

    public static LaneSettings from(AbstractConfig config) {
        return new LaneSettings(
                config.getInt(BATCH_SIZE),
                config.getLong(BATCH_MAX_BYTES),
                Duration.ofMillis(config.getLong(LINGER_MS)),
                config.getInt(MAX_IN_FLIGHT_REQUESTS),
                Ordering.valueOf(config.getString(ORDERING).toUpperCase(Locale.ROOT)));
    }
}
