package io.tidegate.connect.common.settings;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * How much a task may hold, how long it may take to stop, and how the framework was told to handle refused records.
 *
 * @param name connector and task number, for threads, sessions and log lines
 * @param bufferBytes the task pauses its partitions when it holds more bytes of records than this
 * @param drainTimeout how long an offset commit waits until held records are written
 * @param closeTimeout how long a revocation waits for a request in flight
 * @param toleratesErrors whether the framework was told to continue after a record that cannot be written
 */
public record TaskSettings(
        String name, long bufferBytes, Duration drainTimeout, Duration closeTimeout, boolean toleratesErrors) {
    public static final String BUFFER_MAX_BYTES = "buffer.max.bytes";
    public static final String COMMIT_DRAIN_MS = "commit.drain.ms";
    public static final String CLOSE_TIMEOUT_MS = "close.timeout.ms";

    /** Set by the connector in each task's configuration, not by users. */
    public static final String TASK_NUMBER = "tidegate.task.number";

    public TaskSettings {
        requireNonNull(name, "name");
        requireNonNull(drainTimeout, "drainTimeout");
        requireNonNull(closeTimeout, "closeTimeout");
    }

    /** The connector's name without the task number. */
    public String connector() {
        return name.substring(0, Math.max(0, name.lastIndexOf('-')));
    }

    /** The task's number in its connector, from 0 on. */
    public String task() {
        return name.substring(name.lastIndexOf('-') + 1);
    }

    public static ConfigDef define(ConfigDef def) {
        return new SettingGroup(def, "Task")
                .bytes(BUFFER_MAX_BYTES, "Buffer bytes", 16L << 20)
                .atLeast(1 << 20)
                .medium("How many bytes of records a task holds before it pauses its partitions; it resumes them at"
                        + " half of this. The records of one poll come on top. All tasks of one sink on a worker hold"
                        + " at most a quarter of its heap: half of it in equal shares, half as they need it. With"
                        + " many busy tasks, a task may hold less than this setting. Up to half of what it may hold is"
                        + " kept free for one more poll.")
                .millis(COMMIT_DRAIN_MS, "Commit drain", 2_000)
                .between(0, 60_000)
                .low("How long an offset commit waits for the held records to be written, in milliseconds, so that"
                        + " little is delivered again after a rebalance or a stop. Not during an outage.")
                .millis(CLOSE_TIMEOUT_MS, "Close timeout", 2_000)
                .between(0, 60_000)
                .low("How long a revoked partition or a stopping task waits for its request in flight, in"
                        + " milliseconds, before cancelling it. With " + COMMIT_DRAIN_MS
                        + " it should stay below the worker's task.shutdown.graceful.timeout.ms.")
                .configDef();
    }

    public static TaskSettings from(AbstractConfig config) {
        Map<String, Object> framework = config.originals(); // Connect lets a setting be null
        return new TaskSettings(
                framework.getOrDefault("name", "unnamed") + "-" + framework.getOrDefault(TASK_NUMBER, "0"),
                config.getLong(BUFFER_MAX_BYTES),
                Duration.ofMillis(config.getLong(COMMIT_DRAIN_MS)),
                Duration.ofMillis(config.getLong(CLOSE_TIMEOUT_MS)),
                "all".equals(String.valueOf(framework.get("errors.tolerance")).strip())); // as Connect reads it
    }
}
