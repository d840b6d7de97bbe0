package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.OptionalLong;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.kafka.common.utils.Sanitizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many dead letters the worker's producer has failed to send for a task, as the worker counts them. The future that
 * Connect returns for a letter does not tell of one that the producer refuses at once, such as one that is too large
 * ({@code RetryWithToleranceOperator.report} leaves out futures that are done).
 */
public final class ProduceFailures {
    private static final Logger log = LoggerFactory.getLogger(ProduceFailures.class);

    /** Nothing is counted. */
    public static final ProduceFailures UNKNOWN = new ProduceFailures(Optional.empty());

    private final Optional<ObjectName> counts;

    private ProduceFailures(Optional<ObjectName> counts) {
        this.counts = counts;
    }

    /**
     * The count of a task on this worker.
     *
     * @param task its number in the connector
     */
    public static ProduceFailures of(String connector, String task) {
        requireNonNull(connector, "connector");
        requireNonNull(task, "task");
        try {
            return new ProduceFailures(Optional.of(new ObjectName("kafka.connect:type=task-error-metrics,connector="
                    + Sanitizer.jmxSanitize(connector) + ",task=" + task)));
        } catch (JMException | LinkageError e) {
            log.debug("No name for the error metrics of task {} of {}", task, connector, e);
            return UNKNOWN;
        }
    }

    /** Failures since the task was started; empty if the worker does not show them. */
    public OptionalLong count() {
        if (counts.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            Object count = ManagementFactory.getPlatformMBeanServer()
                    .getAttribute(counts.get(), "deadletterqueue-produce-failures");
            return count instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
        } catch (JMException e) {
            log.debug("{} cannot be read", counts.get(), e);
            return OptionalLong.empty();
        }
    }
}
