package io.tidegate.connect.testkit.process;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Runs steps in order when this JVM ends by a signal or {@code System.exit}, and then stops all servers. Separate
 * shutdown hooks would run at the same time and could find the servers stopping.
 */
public final class JvmEnd {
    private static final List<Runnable> STEPS = new CopyOnWriteArrayList<>();
    private static volatile Runnable servers = () -> {};

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(JvmEnd::run, "testkit-end"));
    }

    private JvmEnd() {}

    /**
     * Adds a step. The step must be bounded: the JVM and its servers live until it returns.
     *
     * @param step runs on a shutdown thread of the JVM, after the steps that were added before
     */
    public static void beforeServersEnd(Runnable step) {
        STEPS.add(Objects.requireNonNull(step, "step"));
    }

    /** Sets the last step, which stops all servers. */
    static void servers(Runnable endAllServers) {
        servers = endAllServers;
    }

    private static void run() {
        try {
            STEPS.forEach(Runnable::run);
        } finally {
            servers.run();
        }
    }
}
