package io.tidegate.connect.testkit.process;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The end of this JVM by a signal or {@code System.exit}, in order. Shutdown hooks run all at once; whoever still has a
 * question to a server would find it dying. So steps that need servers come here, and the servers are let go behind them.
 */
public final class JvmEnd {
    private static final List<Runnable> STEPS = new CopyOnWriteArrayList<>();
    private static volatile Runnable servers = () -> {};

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(JvmEnd::run, "testkit-end"));
    }

    private JvmEnd() {}

    /**
     * Adds a step, which must be bounded: the JVM and its servers live until it returns.
     *
     * @param step run on a thread of the JVM's end, behind those that were added before
     */
    public static void beforeServersEnd(Runnable step) {
        STEPS.add(Objects.requireNonNull(step, "step"));
    }

    /** What lets all servers go, the last step. */
    static void servers(Runnable letAllGo) {
        servers = letAllGo;
    }

    private static void run() {
        try {
            STEPS.forEach(Runnable::run);
        } finally {
            servers.run();
        }
    }
}
