package io.tidegate.connect.bench.sink;

import io.tidegate.connect.bench.BenchException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Reads a worker's metrics over JMX. The main thread only. */
final class WorkerProbe implements AutoCloseable {
    private final JMXConnector connector;
    private final MBeanServerConnection beans;

    /** The address is that of a worker on loopback which this JVM has started, so there is nobody to be deceived by. */
    @SuppressWarnings("BanJNDI")
    WorkerProbe(JMXServiceURL url) throws BenchException {
        try {
            connector = JMXConnectorFactory.connect(url);
            beans = connector.getMBeanServerConnection();
        } catch (IOException e) {
            throw new BenchException("the worker's metrics cannot be reached: " + e.getMessage(), e);
        }
    }

    /** Garbage collections so far: how many, and how long all of them took. */
    record Collections(long count, long millis) {}

    double heapMb() throws BenchException {
        CompositeData usage = (CompositeData) attribute(name(ManagementFactory.MEMORY_MXBEAN_NAME), "HeapMemoryUsage");
        return (Long) usage.get("used") / 1e6;
    }

    Collections collections() throws BenchException {
        long count = 0;
        long millis = 0;
        for (ObjectName collector : named(ManagementFactory.GARBAGE_COLLECTOR_MXBEAN_DOMAIN_TYPE + ",*")) {
            count += (Long) attribute(collector, "CollectionCount");
            millis += (Long) attribute(collector, "CollectionTime");
        }
        return new Collections(count, millis);
    }

    /** Records that the framework has handed to the connector's tasks. */
    long sent(String connectorName) throws BenchException {
        return Math.round(taskSum("sink-task-metrics", connectorName, "sink-record-send-total"));
    }

    /** The mean over the tasks; 0 when there is none. */
    double pollRecords(String connectorName) throws BenchException {
        double sum = taskSum("connector-task-metrics", connectorName, "batch-size-avg");
        int tasks = tasks("connector-task-metrics", connectorName).size();
        return tasks == 0 ? 0 : sum / tasks;
    }

    /** Retries that the framework counts, those of converters and transforms included. */
    double retries(String connectorName) throws BenchException {
        return taskSum("task-error-metrics", connectorName, "total-retries");
    }

    /**
     * A metric of our sinks, which other connectors do not have: the highest of the tasks', NaN without any.
     *
     * @param attribute as in the list of metrics, such as {@code write-latency-ms-p50}
     */
    double pluginMax(String connectorName, String attribute) throws BenchException {
        double max = Double.NaN;
        for (ObjectName task : tasks("plugins", connectorName)) {
            if (attribute(task, attribute) instanceof Number number && Double.isFinite(number.doubleValue())) {
                max = Double.isNaN(max) ? number.doubleValue() : Math.max(max, number.doubleValue());
            }
        }
        return max;
    }

    /** The sum over the tasks of a count of our sinks; 0 for other connectors. */
    double pluginSum(String connectorName, String attribute) throws BenchException {
        return taskSum("plugins", connectorName, attribute);
    }

    /** Another attribute of beans, such as those of the benchmark's own connectors; of each bean that there is. */
    List<Object> values(String pattern, String attribute) throws BenchException {
        List<Object> values = new ArrayList<>();
        for (ObjectName bean : named(pattern)) {
            values.add(attribute(bean, attribute));
        }
        return values;
    }

    /** A thread dump, as {@code jcmd Thread.print} makes it; empty where the JVM has none. */
    String threads() throws BenchException {
        try {
            ObjectName commands = name("com.sun.management:type=DiagnosticCommand");
            Object[] arguments = {new String[0]};
            return (String) beans.invoke(commands, "threadPrint", arguments, new String[] {String[].class.getName()});
        } catch (JMException e) {
            return "";
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private double taskSum(String group, String connectorName, String attribute) throws BenchException {
        double all = 0;
        for (ObjectName task : tasks(group, connectorName)) {
            double one = ((Number) attribute(task, attribute)).doubleValue();
            all += Double.isFinite(one) ? one : 0;
        }
        return all;
    }

    private Set<ObjectName> tasks(String group, String connectorName) throws BenchException {
        return named("kafka.connect:type=" + group + ",connector=" + connectorName + ",task=*");
    }

    private Set<ObjectName> named(String pattern) throws BenchException {
        try {
            return beans.queryNames(name(pattern), null);
        } catch (IOException e) {
            throw lost(e);
        }
    }

    /** A task that ends meanwhile takes its metrics along: such an attribute is 0. */
    private Object attribute(ObjectName bean, String attribute) throws BenchException {
        try {
            return beans.getAttribute(bean, attribute);
        } catch (JMException e) {
            return 0L;
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private static ObjectName name(String text) {
        try {
            return new ObjectName(text);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static BenchException lost(IOException e) {
        return new BenchException("the worker's metrics are gone, and so may be the worker: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
