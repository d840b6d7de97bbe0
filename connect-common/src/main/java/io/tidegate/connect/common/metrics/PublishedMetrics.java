package io.tidegate.connect.common.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.ObjectName;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics that operators can read, from now until this is closed. Publishing them never fails the task: what
 * goes wrong is logged.
 */
public final class PublishedMetrics implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PublishedMetrics.class);

    private final AutoCloseable shown;

    private PublishedMetrics(AutoCloseable shown) {
        this.shown = shown;
    }

    /**
     * Shows a task's metrics through the worker (KIP-877, Kafka 4.1 and newer), which hands them to its metrics reporters
     * and takes them away with the task; on an older worker as an MBean with the name that the newer one would use:
     * {@code kafka.connect:type=plugins,connector=...,task=...}.
     */
    public static PublishedMetrics ofTask(
            SinkTaskContext context, String connector, String task, List<Metric> metrics) {
        try {
            return new PublishedMetrics(ThroughWorker.show(context, metrics));
        } catch (NoSuchMethodError | NoClassDefFoundError e) {
            log.debug("This worker takes no metrics of plugins; they are shown as MBeans", e);
        } catch (RuntimeException e) {
            log.warn("The metrics of task {} of {} cannot be shown before it is started again", task, connector, e);
            return new PublishedMetrics(() -> {});
        }
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("type", "plugins");
        properties.put("connector", connector);
        properties.put("task", task);
        return new PublishedMetrics(MetricsBean.register(MetricsBean.name("kafka.connect", properties), metrics));
    }

    /**
     * Shows the metrics of something that the tasks of a worker share, as {@code tidegate:type=...,name=...}.
     *
     * @param name no secret; when it is taken a number is added to it
     */
    public static PublishedMetrics ofShared(String type, String name, List<Metric> metrics) {
        synchronized (PublishedMetrics.class) {
            ObjectName free = shared(type, name);
            for (int number = 2; MetricsBean.isTaken(free); number++) {
                free = shared(type, name + " (" + number + ")");
            }
            return new PublishedMetrics(MetricsBean.register(free, metrics));
        }
    }

    private static ObjectName shared(String type, String name) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("type", type);
        properties.put("name", name);
        return MetricsBean.name("tidegate", properties);
    }

    @Override
    public void close() {
        try {
            shown.close();
        } catch (Exception e) {
            log.warn("Metrics cannot be taken away", e);
        }
    }

    /** A separate class, because an older worker cannot load the classes that it names. */
    private static final class ThroughWorker {
        private ThroughWorker() {}

        static AutoCloseable show(SinkTaskContext context, List<Metric> metrics) {
            PluginMetrics worker = context.pluginMetrics();
            List<MetricName> shown = new ArrayList<>(metrics.size());
            for (Metric metric : metrics) {
                Gauge<Number> gauge = (config, now) -> metric.value().get();
                MetricName name = worker.metricName(metric.name(), metric.description(), new LinkedHashMap<>());
                worker.addMetric(name, gauge);
                shown.add(name);
            }
            return () -> shown.forEach(worker::removeMetric);
        }
    }
}
