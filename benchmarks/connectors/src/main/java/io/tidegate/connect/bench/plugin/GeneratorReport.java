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

/** Counts what a task does, for those who ask over JMX. The task's thread counts what is sent, the producer's what is taken. */
final class GeneratorReport implements GeneratorReportMXBean, AutoCloseable {
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLongArray latest;
    private final ObjectName name;
    private volatile boolean allSent; // of the task's thread

    private GeneratorReport(ObjectName name, int phases) {
        this.name = name;
        this.latest = new AtomicLongArray(phases);
    }

    /** Shows a report that counts nothing yet, in place of an earlier one of the same task. */
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
            throw new ConnectException("the generator's report cannot be shown", e);
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
            // It is not shown any more.
        } catch (JMException e) {
            throw new ConnectException("the generator's report cannot be taken away", e);
        }
    }
}
