package io.tidegate.connect.bench.plugin;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.kafka.connect.errors.ConnectException;

/** Counts for JMX: the task's thread counts the sent records, and the producer's thread the acknowledged ones. */
final class GeneratorReport implements GeneratorReportMXBean, AutoCloseable {
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLongArray latest;
    private final ObjectName name;
    private volatile boolean allSent; // the task's thread writes it

    private GeneratorReport(ObjectName name, int phases) {
        this.name = name;
        this.latest = new AtomicLongArray(phases);
    }

    /** Publishes an empty report, which replaces an earlier one of the same task. */
    static GeneratorReport publish(String connector, int task, int phases) {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        try {
            ObjectName name = new ObjectName(
                    "tidegate.bench:type=generator,connector=" + ObjectName.quote(connector) + ",task=" + task);
            GeneratorReport report = new GeneratorReport(name, phases);
            report.close();
            beans.registerMBean(report, name);
            return report;
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(connector, e);
        } catch (JMException e) {
            throw new ConnectException("cannot register the generator's report", e);
        }
    }

    void sent(int phase, long lateMicros) {
        sent.incrementAndGet();
        latest.accumulateAndGet(phase, lateMicros, Math::max);
    }

    void allSent() {
        allSent = true;
    }

    void accepted() {
        accepted.incrementAndGet();
    }

    @Override
    public long getSent() {
        return sent.get();
    }

    @Override
    public long getAccepted() {
        return accepted.get();
    }

    @Override
    public long[] getLatestMicros() {
        long[] micros = new long[latest.length()];
        for (int phase = 0; phase < micros.length; phase++) {
            micros[phase] = latest.get(phase);
        }
        return micros;
    }

    @Override
    public boolean isDone() {
        return allSent && accepted.get() == sent.get();
    }

    @Override
    public void close() {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (InstanceNotFoundException e) {
            // It is not registered.
        } catch (JMException e) {
            throw new ConnectException("cannot unregister the generator's report", e);
        }
    }
}
