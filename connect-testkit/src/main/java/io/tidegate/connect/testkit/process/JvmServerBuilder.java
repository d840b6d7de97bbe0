package io.tidegate.connect.testkit.process;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The settings that all servers in a JVM have. They must not change after the server is built.
 *
 * @param <B> the concrete builder
 */
public abstract class JvmServerBuilder<B extends JvmServerBuilder<B>> {
    /** Tests of commands set it, because the commands build the servers. */
    private static final boolean FAST = Boolean.getBoolean("testkit.fast");

    private final Map<String, String> properties = new LinkedHashMap<>();
    private Jvm jvm = FAST ? Jvm.ordinary().withFastStart() : Jvm.ordinary();

    protected JvmServerBuilder() {}

    @SuppressWarnings("unchecked") // B is the class of this object
    private B self() {
        return (B) this;
    }

    /** For tests: starts fast, with a small heap (256m unless set) and without the optimising compiler. */
    public final B fastStart() {
        jvm = jvm.withFastStart();
        return self();
    }

    /** The maximum heap size, as in {@code -Xmx}; 512m by default. */
    public final B heap(String size) {
        jvm = jvm.withHeap(size);
        return self();
    }

    /** Sets a property of the server's configuration. It overrides the testkit's own value. */
    public final B property(String key, String value) {
        properties.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
        return self();
    }

    /** The options of the server's JVM. */
    public final Jvm jvm() {
        return jvm;
    }

    /** The properties that were set with {@link #property}, in that order. */
    public final Map<String, String> properties() {
        return properties;
    }
}
