package io.tidegate.connect.common.settings;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;

/**
 * What a task may hold and how long it may take its leave; and what the framework's own settings say of refused records.
 *
 * @param name connector and task number, for threads, sessions and log lines
 * @param bufferBytes bytes of records held above which partitions are paused
 * @param drainTimeout how long an offset commit waits for what is held to be written
 * @param closeTimeout how long a revocation waits for a request in flight
 * @param toleratesErrors whether the framework was told to carry on after a record that cannot be written
 */
public record TaskSettings(
        String name, long bufferBytes, Duration drainTimeout, Duration closeTimeout, boolean toleratesErrors) {
    public static final String BUFFER_MAX_BYTES = "buffer.max.bytes";
    public static final String COMMIT_DRAIN_MS = "commit.drain.ms";
    public static final String CLOSE_TIMEOUT_MS = "close.timeout.ms";

    /** Set by the connector in each task's configuration, not by users. */
    public static final String TASK_NUMBER = "tidegate.task.number";

    private static final String GROUP = "Task";

    public TaskSettings {
        requireNonNull(name, "name");
        requireNonNull(drainTimeout, "drainTimeout");
        requireNonNull(closeTimeout, "closeTimeout");
    }

    public static ConfigDef define(ConfigDef def) {
        int order = 0;
        return def.define(
                        BUFFER_MAX_BYTES,
                        Type.LONG,
                        16L << 20,
                        Range.atLeast(1 << 20),
                        Importance.MEDIUM,
                        "Bytes of records that a task holds before it pauses its partitions; it resumes them at half of it."
                                + " What one poll brings comes on top. All tasks of a worker together hold no more than a"
                                + " quarter of its heap, in equal shares: with many tasks that is the lower bound.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Buffer bytes")
                .define(
                        COMMIT_DRAIN_MS,
                        Type.LONG,
                        2_000L,
                        Range.between(0, 60_000),
                        Importance.LOW,
                        "How long an offset commit waits for the records held to be written, in milliseconds, so that a"
                                + " rebalance or a stop leaves little to be delivered again. During an outage it does not"
                                + " wait.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Commit drain")
                .define(
                        CLOSE_TIMEOUT_MS,
                        Type.LONG,
                        2_000L,
                        Range.between(0, 60_000),
                        Importance.LOW,
                        "How long a revoked partition or a stopping task waits for its request in flight before it breaks it"
                                + " off, in milliseconds. Together with " + COMMIT_DRAIN_MS
                                + " it should stay below the worker's task.shutdown.graceful.timeout.ms.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Close timeout");
    }

    public static TaskSettings from(AbstractConfig config) {
        Map<String, Object> framework = config.originals(); // Connect lets a setting be null
        return new TaskSettings(
                framework.getOrDefault("name", "unnamed") + "-" + framework.getOrDefault(TASK_NUMBER, "0"),
                config.getLong(BUFFER_MAX_BYTES),
                Duration.ofMillis(config.getLong(COMMIT_DRAIN_MS)),
                Duration.ofMillis(config.getLong(CLOSE_TIMEOUT_MS)),
                "all".equals(framework.get("errors.tolerance")));
    }
}
