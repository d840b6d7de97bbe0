package io.tidegate.connect.common.metrics;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.utils.Sanitizer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics that operators can read, from now until this is closed. Publishing them never fails the task: what
 * goes wrong is logged.
 */
public final class PublishedMetrics implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PublishedMetrics.class);

    /** The reporter of each MBean: the latest if several have the same tags. */
    private static final Map<Map<String, String>, JmxReporter> REPORTERS = new ConcurrentHashMap<>();

    private final AutoCloseable shown;
    private final Optional<RuntimeException> refusal;

    private PublishedMetrics(AutoCloseable shown, Optional<RuntimeException> refusal) {
        this.shown = shown;
        this.refusal = refusal;
    }

    /**
     * Shows a task's metrics through the worker (KIP-877, Kafka 4.1 and newer), which hands them to its metrics reporters
     * and takes them away with the task; on an older worker as an MBean with the name that the newer one would use:
     * {@code kafka.connect:type=plugins,connector=...,task=...}.
     *
     * @param part what the metrics are of, as more tags: a part of the task, or empty
     */
    public static PublishedMetrics ofTask(
            SinkTaskContext context, String connector, String task, Map<String, String> part, List<Metric> metrics) {
        try {
            return new PublishedMetrics(ThroughWorker.show(context, part, metrics), Optional.empty());
        } catch (NoSuchMethodError | NoClassDefFoundError e) {
            log.debug("This worker takes no metrics of plugins; they are shown as MBeans", e);
        } catch (RuntimeException e) {
            return new PublishedMetrics(() -> {}, Optional.of(e));
        }
        Map<String, String> tags = new LinkedHashMap<>();
        tags.put("connector", connector);
        tags.put("task", task);
        tags.putAll(part);
        return asMBean("kafka.connect", "plugins", tags, metrics);
    }

    /**
     * Shows the metrics of something that the tasks of a worker share, as {@code tidegate:type=...,name=...}.
     *
     * @param name no secret; when it is taken a number is added to it
     */
    public static PublishedMetrics ofShared(String type, String name, List<Metric> metrics) {
        synchronized (PublishedMetrics.class) {
            Map<String, String> free = Map.of("name", name);
            for (int number = 2; REPORTERS.containsKey(free) || isShown(type, free.get("name")); number++) {
                free = Map.of("name", name + " (" + number + ")");
            }
            return asMBean("tidegate", type, free, metrics);
        }
    }

    /** Whether somebody shows it, such as another version of the plugin in the same worker. */
    private static boolean isShown(String type, String name) {
        try {
            return ManagementFactory.getPlatformMBeanServer()
                    .isRegistered(new ObjectName("tidegate:type=" + type + ",name=" + Sanitizer.jmxSanitize(name)));
        } catch (MalformedObjectNameException | LinkageError e) {
            return false; // showing it will fail, and be logged
        }
    }

    private static PublishedMetrics asMBean(
            String domain, String type, Map<String, String> tags, List<Metric> metrics) {
        JmxReporter reporter = new JmxReporter();
        REPORTERS.put(tags, reporter);
        try {
            reporter.contextChange(new KafkaMetricsContext(domain));
            reporter.init(metrics.stream()
                    .map(metric -> new KafkaMetric(
                            metric,
                            new MetricName(metric.name(), type, metric.description(), tags),
                            gauge(metric),
                            new MetricConfig(),
                            Time.SYSTEM))
                    .toList());
        } catch (RuntimeException e) {
            log.warn("The metrics {} of {} cannot be shown", type, tags, e);
        }
        AutoCloseable shown = () -> {
            synchronized (PublishedMetrics.class) { // or its name would look taken
                if (REPORTERS.remove(tags, reporter)) { // otherwise the MBean is a later one
                    reporter.close();
                }
            }
        };
        return new PublishedMetrics(shown, Optional.empty());
    }

    private static Gauge<Number> gauge(Metric metric) {
        return (config, now) -> metric.value().get();
    }

    /**
     * Why the worker does not show them, if it does not. A worker refuses them while it still shows those of an earlier
     * task, whose thread has not ended ({@code PluginMetricsImpl}).
     */
    public Optional<RuntimeException> refusal() {
        return refusal;
    }

    @Override
    public void close() {
        try {
            shown.close();
        } catch (Exception e) {
            log.warn("Metrics could not be removed", e);
        }
    }

    /** A separate class, because an older worker cannot load the classes that it names. */
    private static final class ThroughWorker {
        private ThroughWorker() {}

        static AutoCloseable show(SinkTaskContext context, Map<String, String> tags, List<Metric> metrics) {
            PluginMetrics worker = context.pluginMetrics();
            List<MetricName> shown = new ArrayList<>(metrics.size());
            AutoCloseable hidden = () -> {
                synchronized (worker) { // not all of Kafka's releases take calls of several threads
                    shown.forEach(worker::removeMetric);
                }
            };
            synchronized (worker) {
                try {
                    for (Metric metric : metrics) {
                        MetricName name =
                                worker.metricName(metric.name(), metric.description(), new LinkedHashMap<>(tags));
                        worker.addMetric(name, gauge(metric));
                        shown.add(name);
                    }
                } catch (RuntimeException e) {
                    shown.forEach(worker::removeMetric);
                    throw e;
                }
            }
            return hidden;
        }
    }
}
