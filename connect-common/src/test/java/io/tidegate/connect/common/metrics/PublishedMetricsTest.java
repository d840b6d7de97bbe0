package io.tidegate.connect.common.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.testing.FakeSinkTaskContext;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

final class PublishedMetricsTest {
    private final AtomicLong value = new AtomicLong(3);
    private final List<Metric> metrics =
            List.of(new Metric("records-total", "records", "Records since the start.", value::get));
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final FakeSinkTaskContext context = new FakeSinkTaskContext();
    private final FakeSinkTaskContext older = new FakeSinkTaskContext().olderThanPluginMetrics();

    private Object read(String name) throws JMException {
        return server.getAttribute(new ObjectName(name), "records-total");
    }

    private boolean isShown(String name) throws JMException {
        return server.isRegistered(new ObjectName(name));
    }

    @Test
    void showsATasksMetricsThroughTheWorker() throws JMException {
        try (PublishedMetrics published = PublishedMetrics.ofTask(context, "tides", "0", Map.of(), metrics)) {
            assertThat(context.shown().value("records-total")).isEqualTo(3);
            value.set(4);
            assertThat(context.shown().value("records-total")).isEqualTo(4);
            assertThat(isShown("kafka.connect:type=plugins,connector=tides,task=0"))
                    .isFalse();
            assertThat(published).isNotNull();
        }
    }

    @Test
    void doesNotFailATaskWhosePredecessorIsStillShown() {
        PublishedMetrics hanging = PublishedMetrics.ofTask(context, "tides", "0", Map.of(), metrics);

        assertThatCode(() -> {
                    try (PublishedMetrics later = PublishedMetrics.ofTask(context, "tides", "0", Map.of(), metrics)) {
                        assertThat(later.refusal()).isPresent();
                    }
                })
                .doesNotThrowAnyException();
        hanging.close();
    }

    @Test
    void takesATasksMetricsAwayFromTheWorkerSoThatOthersMayCome() {
        PublishedMetrics.ofTask(context, "tides", "0", Map.of(), metrics).close();
        assertThat(context.shown().isEmpty()).isTrue();

        PublishedMetrics.ofTask(
                context, "tides", "0", Map.of(), List.of(new Metric("records-total", "records", "Records.", () -> 9L)));

        assertThat(context.shown().value("records-total")).isEqualTo(9);
    }

    @Test
    void showsThemUnderTheSameNameOnAWorkerWithoutMetricsOfPlugins() throws JMException {
        String name = "kafka.connect:type=plugins,connector=tides,task=0";
        try (PublishedMetrics published = PublishedMetrics.ofTask(older, "tides", "0", Map.of(), metrics)) {
            assertThat(read(name)).isEqualTo(3L);
            value.set(4);
            assertThat(read(name)).isEqualTo(4L);
            assertThat(server.getMBeanInfo(new ObjectName(name)).getAttributes())
                    .singleElement()
                    .satisfies(attribute -> assertThat(attribute.getName()).isEqualTo("records-total"))
                    .satisfies(
                            attribute -> assertThat(attribute.getDescription()).isEqualTo("Records since the start."));
            assertThat(server.getAttributes(new ObjectName(name), new String[] {"records-total", "no-such"}))
                    .hasSize(1);
            assertThatThrownBy(() -> server.getAttribute(new ObjectName(name), "no-such"))
                    .isInstanceOf(AttributeNotFoundException.class)
                    .hasMessageContaining("no-such");
            assertThat(published).isNotNull();
        }
        assertThat(isShown(name)).isFalse();
    }

    @Test
    void quotesNamesThatJmxWouldReadAsSyntax() throws JMException {
        try (PublishedMetrics published = PublishedMetrics.ofTask(older, "tides:a,b=\"c\"*", "0", Map.of(), metrics)) {
            assertThat(read("kafka.connect:type=plugins,connector=" + ObjectName.quote("tides:a,b=\"c\"*") + ",task=0"))
                    .isEqualTo(3L);
            assertThat(published).isNotNull();
        }
    }

    @Test
    void aTaskThatIsStartedAgainTakesThePlaceOfItsPredecessor() throws JMException {
        String name = "kafka.connect:type=plugins,connector=tides,task=0";
        PublishedMetrics hanging = PublishedMetrics.ofTask(older, "tides", "0", Map.of(), metrics);
        PublishedMetrics next = PublishedMetrics.ofTask(
                older, "tides", "0", Map.of(), List.of(new Metric("records-total", "records", "Records.", () -> 9L)));

        hanging.close();
        assertThat(read(name)).isEqualTo(9L);
        next.close();
        assertThat(isShown(name)).isFalse();
    }

    @Test
    void showsWhatTasksShareOnceAndUnderANameOfItsOwn() throws JMException {
        PublishedMetrics first = PublishedMetrics.ofShared("pool", "db:5432/tides as me", metrics);
        PublishedMetrics second = PublishedMetrics.ofShared("pool", "db:5432/tides as me", metrics);

        assertThat(read("tidegate:type=pool,name=\"db:5432/tides as me\"")).isEqualTo(3L);
        assertThat(read("tidegate:type=pool,name=\"db:5432/tides as me (2)\"")).isEqualTo(3L);
        first.close();
        assertThat(isShown("tidegate:type=pool,name=\"db:5432/tides as me\"")).isFalse();
        assertThat(isShown("tidegate:type=pool,name=\"db:5432/tides as me (2)\""))
                .isTrue();
        second.close();
        second.close();
        assertThat(isShown("tidegate:type=pool,name=\"db:5432/tides as me (2)\""))
                .isFalse();
    }

    /** It has another class loader, and so another class of this name. */
    @Test
    void leavesTheNameToAnotherVersionOfThePlugin() throws Exception {
        URL[] classes = {
            PublishedMetrics.class.getProtectionDomain().getCodeSource().getLocation()
        };
        try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (!name.startsWith(PublishedMetrics.class.getName())) {
                    return super.loadClass(name, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }) {
            Class<?> other = loader.loadClass(PublishedMetrics.class.getName());
            try (AutoCloseable first =
                            (AutoCloseable) other.getMethod("ofShared", String.class, String.class, List.class)
                                    .invoke(null, "pool", "db:5432 of two", metrics);
                    PublishedMetrics second = PublishedMetrics.ofShared("pool", "db:5432 of two", metrics)) {
                assertThat(other).isNotEqualTo(PublishedMetrics.class);
                assertThat(isShown("tidegate:type=pool,name=\"db:5432 of two (2)\""))
                        .isTrue();
                second.close();
                assertThat(isShown("tidegate:type=pool,name=\"db:5432 of two\""))
                        .isTrue();
            }
        }
    }
}
