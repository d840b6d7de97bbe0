package io.tidegate.connect.common.testing;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.MetricValueProvider;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.Sensor;

/** A worker's registry of a plugin's metrics, in memory; as strict about names that are taken. One thread. */
public final class FakePluginMetrics implements PluginMetrics {
    private final Map<String, Gauge<?>> gauges = new LinkedHashMap<>();

    /** The name, followed by its tags if it has any. */
    private static String key(MetricName metric) {
        return metric.name() + (metric.tags().isEmpty() ? "" : metric.tags());
    }

    /** The present value of a metric, by its name, followed by its tags as {@code {tag=value}} if it has any. */
    public double value(String name) {
        if (!gauges.containsKey(name)) {
            throw new AssertionError(name + " is none of " + gauges.keySet());
        }
        return ((Number) gauges.get(name).value(new MetricConfig(), 0)).doubleValue();
    }

    public Set<String> names() {
        return gauges.keySet();
    }

    public boolean isEmpty() {
        return gauges.isEmpty();
    }

    @Override
    @SuppressWarnings("NonApiType") // Kafka's own signature
    public MetricName metricName(String name, String description, LinkedHashMap<String, String> tags) {
        return new MetricName(name, "plugins", description, tags);
    }

    @Override
    public void addMetric(MetricName metricName, MetricValueProvider<?> provider) {
        if (gauges.putIfAbsent(key(metricName), (Gauge<?>) provider) != null) {
            throw new IllegalArgumentException("Metric " + metricName + " already exists");
        }
    }

    @Override
    public void removeMetric(MetricName metricName) {
        if (gauges.remove(key(metricName)) == null) {
            throw new IllegalArgumentException("Metric " + metricName + " does not exist");
        }
    }

    @Override
    public Sensor addSensor(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void removeSensor(String name) {
        throw new UnsupportedOperationException();
    }
}
