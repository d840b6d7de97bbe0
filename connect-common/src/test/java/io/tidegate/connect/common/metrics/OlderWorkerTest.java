package io.tidegate.connect.common.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.testing.FakeSinkTaskContext;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.management.ObjectName;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.junit.jupiter.api.Test;

/** The metrics' classes where Kafka's own lack {@code PluginMetrics}, as they do before 4.1. */
final class OlderWorkerTest {
    private static final String MISSING = "org.apache.kafka.common.metrics.PluginMetrics";

    @Test
    void loadsAndShowsMBeansWhereTheWorkersClassesAreMissing() throws ReflectiveOperationException, Exception {
        ClassLoader older = new OlderWorker(getClass().getClassLoader());
        Class<?> published = older.loadClass(PublishedMetrics.class.getName());
        Constructor<?> metric = older.loadClass(Metric.class.getName())
                .getConstructor(String.class, String.class, String.class, Supplier.class);
        List<?> metrics =
                List.of(metric.newInstance("records-total", "records", "Records.", (Supplier<Number>) () -> 3));

        AutoCloseable shown = (AutoCloseable) published
                .getMethod("ofTask", SinkTaskContext.class, String.class, String.class, Map.class, List.class)
                .invoke(null, new FakeSinkTaskContext(), "older", "0", Map.of(), metrics);

        ObjectName name = new ObjectName("kafka.connect:type=plugins,connector=older,task=0");
        assertThat(published.getClassLoader()).isSameAs(older);
        assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(name, "records-total"))
                .isEqualTo(3);
        shown.close();
        assertThat(ManagementFactory.getPlatformMBeanServer().isRegistered(name))
                .isFalse();
    }

    /** Loads the metrics' classes itself and knows nothing of the missing one. */
    private static final class OlderWorker extends ClassLoader {
        OlderWorker(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(MISSING)) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith(PublishedMetrics.class.getPackageName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
