package io.tidegate.connect.common.metrics;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics as an MBean of this JVM. Any thread reads. One that comes later under the same name takes its place. */
final class MetricsBean implements DynamicMBean, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MetricsBean.class);
    private static final Map<ObjectName, MetricsBean> REGISTERED = new ConcurrentHashMap<>();

    private final ObjectName name;
    private final Map<String, Metric> metrics = new LinkedHashMap<>();

    private MetricsBean(ObjectName name, List<Metric> metrics) {
        this.name = name;
        metrics.forEach(metric -> this.metrics.put(metric.name(), metric));
    }

    /** Shows the metrics; when that is impossible it says so and changes nothing. */
    static MetricsBean register(ObjectName name, List<Metric> metrics) {
        MetricsBean bean = new MetricsBean(name, metrics);
        REGISTERED.compute(name, (same, predecessor) -> {
            try {
                if (server().isRegistered(name)) {
                    server().unregisterMBean(name);
                }
                server().registerMBean(bean, name);
            } catch (JMException e) {
                log.warn("The metrics {} cannot be shown", name, e);
            }
            return bean;
        });
        return bean;
    }

    /**
     * An MBean's name.
     *
     * @param properties in order; values are quoted where JMX asks for it
     */
    static ObjectName name(String domain, Map<String, String> properties) {
        String list = properties.entrySet().stream()
                .map(property -> property.getKey() + '=' + quoteIfNeeded(property.getValue()))
                .collect(Collectors.joining(","));
        try {
            return new ObjectName(domain + ':' + list);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(list, e);
        }
    }

    /** By the rule of Kafka's own MBeans, so that names are the same in both. */
    private static String quoteIfNeeded(String value) {
        return value.matches("[\\w-%. \t]*") ? value : ObjectName.quote(value);
    }

    static boolean isTaken(ObjectName name) {
        return server().isRegistered(name);
    }

    private static MBeanServer server() {
        return ManagementFactory.getPlatformMBeanServer();
    }

    /** Takes the metrics away, unless a later bean has taken the name. */
    @Override
    public void close() {
        REGISTERED.computeIfPresent(name, (same, registered) -> {
            if (registered != this) {
                return registered;
            }
            try {
                server().unregisterMBean(name);
            } catch (JMException e) {
                log.warn("The metrics {} cannot be taken away", name, e);
            }
            return null;
        });
    }

    @Override
    public Object getAttribute(String attribute) throws AttributeNotFoundException {
        Metric metric = metrics.get(attribute);
        if (metric == null) {
            throw new AttributeNotFoundException(attribute);
        }
        return metric.value().get();
    }

    @Override
    public AttributeList getAttributes(String[] attributes) {
        AttributeList values = new AttributeList();
        for (String attribute : attributes) {
            if (metrics.containsKey(attribute)) {
                values.add(
                        new Attribute(attribute, metrics.get(attribute).value().get()));
            }
        }
        return values;
    }

    @Override
    public void setAttribute(Attribute attribute) {
        throw new UnsupportedOperationException("metrics are read only");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        throw new UnsupportedOperationException("metrics are read only");
    }

    @Override
    public Object invoke(String action, Object[] arguments, String[] signature) {
        throw new UnsupportedOperationException("metrics are read only");
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        MBeanAttributeInfo[] attributes = metrics.values().stream()
                .map(metric -> new MBeanAttributeInfo(
                        metric.name(), Number.class.getName(), metric.description(), true, false, false))
                .toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(MetricsBean.class.getName(), "Tidegate's metrics", attributes, null, null, null);
    }
}
