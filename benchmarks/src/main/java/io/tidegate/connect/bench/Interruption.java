package io.tidegate.connect.bench;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C or SIGTERM: interrupts the main thread and holds the JVM until that thread has closed what it opened, for a
 * minute at most.
 */
public final class Interruption implements AutoCloseable {
    private static final int CLOSE_SECONDS = 60;

    private final CountDownLatch closed = new CountDownLatch(1);

    private Interruption() {}

    /** Registers the hook; the thread is the one to interrupt. */
    public static Interruption of(Thread main) {
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> interruption.interrupt(main), "interruption"));
        return interruption;
    }

    private void interrupt(Thread main) {
        if (closed.getCount() == 0) {
            return;
        }
        main.interrupt();
        try {
            closed.await(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The main thread is done. */
    @Override
    public void close() {
        closed.countDown();
    }
}
