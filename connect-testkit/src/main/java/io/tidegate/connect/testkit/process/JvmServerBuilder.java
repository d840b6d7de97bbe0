package io.tidegate.connect.testkit.process;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The settings that every server in a JVM has; not to be changed once the server is built.
 *
 * @param <B> the builder of the kind of server
 */
public abstract class JvmServerBuilder<B extends JvmServerBuilder<B>> {
    private final Map<String, String> properties = new LinkedHashMap<>();
    private Jvm jvm = Jvm.ordinary();

    protected JvmServerBuilder() {}

    /** This builder. */
    protected abstract B self();

    /** Ready soon, with a small heap (256m unless set) and without the optimising compiler: for tests. */
    public final B fastStart() {
        jvm = jvm.withFastStart();
        return self();
    }

    /** The heap as in {@code -Xmx}; 512m by default. */
    public final B heap(String size) {
        jvm = jvm.withHeap(size);
        return self();
    }

    /** A line of the server's configuration; it wins over the testkit's own. */
    public final B property(String key, String value) {
        properties.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
        return self();
    }

    /** How to start the server's JVM. */
    public final Jvm jvm() {
        return jvm;
    }

    /** What {@link #property} was called with, in its order. */
    public final Map<String, String> properties() {
        return properties;
    }
}
