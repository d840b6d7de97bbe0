package io.tidegate.connect.lab.worker;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Reads the metrics of a group's workers over JMX and combines them. Used by the main thread only. */
public final class WorkerMetrics implements AutoCloseable {
    private final List<JMXConnector> connectors = new ArrayList<>();

    /** The addresses are trusted: the workers are on loopback, and this JVM has started them. */
    @SuppressWarnings("BanJNDI")
    public WorkerMetrics(List<JMXServiceURL> urls) throws ToolException {
        try {
            for (JMXServiceURL url : urls) {
                connectors.add(JMXConnectorFactory.connect(url));
            }
        } catch (IOException e) {
            close();
            throw new ToolException("cannot connect to the worker's metrics: " + e.getMessage(), e);
        }
    }

    /** A bean of one of the workers. */
    private record Bean(MBeanServerConnection beans, ObjectName name) {
        /** The attribute, or 0 if its task has ended meanwhile and its metrics are gone. */
        Object attribute(String attribute) throws ToolException {
            try {
                return beans.getAttribute(name, attribute);
            } catch (JMException e) {
                return 0L;
            } catch (IOException e) {
                throw lost(e);
            }
        }
    }

    /** The garbage collections so far: their number and their total time. */
    public record Collections(long count, long millis) {}

    public double heapMb() throws ToolException {
        double used = 0;
        for (Bean memory : named(ManagementFactory.MEMORY_MXBEAN_NAME)) {
            used += (Long) ((CompositeData) memory.attribute("HeapMemoryUsage")).get("used") / 1e6;
        }
        return used;
    }

    public Collections collections() throws ToolException {
        long count = 0;
        long millis = 0;
        for (Bean collector : named(ManagementFactory.GARBAGE_COLLECTOR_MXBEAN_DOMAIN_TYPE + ",*")) {
            count += (Long) collector.attribute("CollectionCount");
            millis += (Long) collector.attribute("CollectionTime");
        }
        return new Collections(count, millis);
    }

    /** The number of records that the framework has passed to the connector's tasks. */
    public long sent(String connectorName) throws ToolException {
        return Math.round(taskSum("sink-task-metrics", connectorName, "sink-record-send-total"));
    }

    /** The mean over the tasks, or 0 without tasks. */
    public double pollRecords(String connectorName) throws ToolException {
        double sum = taskSum("connector-task-metrics", connectorName, "batch-size-avg");
        int tasks = tasks("connector-task-metrics", connectorName).size();
        return tasks == 0 ? 0 : sum / tasks;
    }

    /** Retries that the framework counts, including those of converters and transforms. */
    public double retries(String connectorName) throws ToolException {
        return taskSum("task-error-metrics", connectorName, "total-retries");
    }

    /**
     * A metric of this project's sinks: the highest value of all tasks, or NaN for other connectors.
     *
     * @param attribute as in the list of metrics, such as {@code write-latency-ms-p50}
     */
    public double pluginMax(String connectorName, String attribute) throws ToolException {
        double max = Double.NaN;
        for (Bean task : tasks("plugins", connectorName)) {
            if (task.attribute(attribute) instanceof Number number && Double.isFinite(number.doubleValue())) {
                max = Double.isNaN(max) ? number.doubleValue() : Math.max(max, number.doubleValue());
            }
        }
        return max;
    }

    /** A counter of this project's sinks: the sum over the tasks, or 0 for other connectors. */
    public double pluginSum(String connectorName, String attribute) throws ToolException {
        return taskSum("plugins", connectorName, attribute);
    }

    /** Thread dumps in the format of {@code jcmd Thread.print}. Empty for a JVM that provides none. */
    public String threads() throws ToolException {
        StringBuilder threads = new StringBuilder();
        for (Bean commands : named("com.sun.management:type=DiagnosticCommand")) {
            try {
                Object[] arguments = {new String[0]};
                threads.append(commands.beans.invoke(
                        commands.name, "threadPrint", arguments, new String[] {String[].class.getName()}));
            } catch (JMException e) {
                // This JVM provides none.
            } catch (IOException e) {
                throw lost(e);
            }
        }
        return threads.toString();
    }

    private double taskSum(String group, String connectorName, String attribute) throws ToolException {
        double all = 0;
        for (Bean task : tasks(group, connectorName)) {
            double one = ((Number) task.attribute(attribute)).doubleValue();
            all += Double.isFinite(one) ? one : 0;
        }
        return all;
    }

    private List<Bean> tasks(String group, String connectorName) throws ToolException {
        return named("kafka.connect:type=" + group + ",connector=" + connectorName + ",task=*");
    }

    private List<Bean> named(String pattern) throws ToolException {
        List<Bean> found = new ArrayList<>();
        try {
            for (JMXConnector connector : connectors) {
                MBeanServerConnection beans = connector.getMBeanServerConnection();
                for (ObjectName name : beans.queryNames(name(pattern), null)) {
                    found.add(new Bean(beans, name));
                }
            }
            return found;
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

    private static ToolException lost(IOException e) {
        return new ToolException("cannot read the worker's metrics; the worker may have ended: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        for (JMXConnector connector : connectors) {
            try {
                connector.close();
            } catch (IOException e) {
                // The worker has ended, so the connection is closed.
            }
        }
    }
}
