package io.tidegate.connect.testkit.scenarios;

import io.tidegate.connect.testkit.kafka.Connect;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;

/** Reads the metrics of a running worker over JMX. Used by one test thread. */
public final class WorkerMetrics implements AutoCloseable {
    private final JMXConnector connector;
    private final MBeanServerConnection beans;

    /** Connects to a worker with a JMX port, which must keep running. */
    @SuppressWarnings("BanJNDI") // The address is that of the test's worker.
    public WorkerMetrics(Connect worker) throws IOException {
        this.connector = JMXConnectorFactory.connect(worker.jmxUrl());
        this.beans = connector.getMBeanServerConnection();
    }

    /** The names of the MBeans that match, as {@code domain:key=value,*}. */
    public List<String> names(String pattern) throws IOException {
        return beans.queryNames(name(pattern), null).stream()
                .map(ObjectName::getCanonicalName)
                .sorted()
                .toList();
    }

    /** The values of a plugin metric, one for each task of a connector. */
    public List<Double> ofTasks(String connectorName, String metric) throws IOException, JMException {
        return values("kafka.connect:type=plugins,connector=" + connectorName + ",task=*", metric);
    }

    /** The sum of a plugin metric over all tasks of a connector. */
    public double sumOfTasks(String connectorName, String metric) throws IOException, JMException {
        return ofTasks(connectorName, metric).stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    /** The values of a metric in all MBeans that match. */
    public List<Double> values(String pattern, String metric) throws IOException, JMException {
        List<Double> values = new ArrayList<>();
        for (ObjectName bean : beans.queryNames(name(pattern), null)) {
            values.add(((Number) beans.getAttribute(bean, metric)).doubleValue());
        }
        return values;
    }

    private static ObjectName name(String pattern) {
        try {
            return new ObjectName(pattern);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(pattern, e);
        }
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
