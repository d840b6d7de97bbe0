package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import javax.management.JMException;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.kafka.common.utils.Sanitizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many dead letters the worker's producer has failed to send for a task, as the worker counts them. The future that
 * Connect returns for a letter does not tell of one that the producer refuses at once, such as one that is too large
 * ({@code RetryWithToleranceOperator.report} leaves out futures that are done).
 */
public final class ProduceFailures implements LongSupplier {
    private static final Logger log = LoggerFactory.getLogger(ProduceFailures.class);

    private final ObjectName counts;

    /**
     * Of a task of this worker.
     *
     * @param task its number in the connector
     */
    public ProduceFailures(String connector, String task) {
        requireNonNull(connector, "connector");
        requireNonNull(task, "task");
        try {
            this.counts = new ObjectName("kafka.connect:type=task-error-metrics,connector="
                    + Sanitizer.jmxSanitize(connector) + ",task=" + task);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException("a connector called " + connector, e);
        }
    }

    /** Since the task was started; 0 if the worker shows no such count. */
    @Override
    public long getAsLong() {
        try {
            Object count =
                    ManagementFactory.getPlatformMBeanServer().getAttribute(counts, "deadletterqueue-produce-failures");
            return count instanceof Number number ? number.longValue() : 0;
        } catch (JMException e) {
            log.debug("{} cannot be read", counts, e);
            return 0;
        }
    }
}
