package io.tidegate.connect.common.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Traced;
import io.tidegate.connect.common.testing.FakeWriter;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tracing classes on a worker with and without OpenTelemetry's API. */
final class WorkerWithoutOpenTelemetryTest {
    private enum OpenTelemetry {
        MISSING,
        BROKEN,
        PRESENT
    }

    @ParameterizedTest
    @CsvSource({"MISSING, false", "BROKEN, false", "PRESENT, true"})
    void writesWithoutTracesWhereTheWorkerCannotTrace(OpenTelemetry ofWorker, boolean isTraced)
            throws ReflectiveOperationException {
        Plugin plugin = new Plugin(getClass().getClassLoader(), ofWorker);
        BatchWriter writer = new FakeWriter();

        Object made = plugin.loadClass(Tracing.class.getName())
                .getMethod("of", BatchWriter.class, Traced.class)
                .invoke(null, writer, new Traced("memory", "write"));

        assertThat(made != writer).isEqualTo(isTraced);
    }

    /** Loads the tracing classes itself, as the loader of a plugin does, and asks its parent for others. */
    private static final class Plugin extends ClassLoader {
        private final OpenTelemetry ofWorker;

        Plugin(ClassLoader parent, OpenTelemetry ofWorker) {
            super(parent);
            this.ofWorker = ofWorker;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.opentelemetry.") && ofWorker == OpenTelemetry.MISSING) {
                throw new ClassNotFoundException(name);
            }
            if (name.startsWith("io.opentelemetry.") && ofWorker == OpenTelemetry.BROKEN) {
                throw new IllegalStateException("cannot be set up");
            }
            if (!name.startsWith(Tracing.class.getPackageName() + ".")) {
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
