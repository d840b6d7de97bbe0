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
    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    void writesWithoutTracesWhereTheWorkerHasNoOpenTelemetry(boolean isMissing, boolean isTraced)
            throws ReflectiveOperationException {
        Plugin plugin = new Plugin(getClass().getClassLoader(), isMissing);
        BatchWriter writer = new FakeWriter();

        Object made = plugin.loadClass(Tracing.class.getName())
                .getMethod("of", BatchWriter.class, Traced.class)
                .invoke(null, writer, new Traced("memory", "write"));

        assertThat(made != writer).isEqualTo(isTraced);
    }

    /** Loads the tracing classes itself, as the loader of a plugin does, and asks its parent for others. */
    private static final class Plugin extends ClassLoader {
        private final boolean isMissing;

        Plugin(ClassLoader parent, boolean isMissing) {
            super(parent);
            this.isMissing = isMissing;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (isMissing && name.startsWith("io.opentelemetry.")) {
                throw new ClassNotFoundException(name);
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
