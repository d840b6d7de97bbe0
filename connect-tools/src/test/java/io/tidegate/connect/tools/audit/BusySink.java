package io.tidegate.connect.tools.audit;

import java.util.concurrent.atomic.AtomicReference;

/** A sink that writes while a connector is audited: records come, and its task delivers and commits them. */
final class BusySink implements AutoCloseable {
    private final Thread thread;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean isEnding;

    /**
     * Starts to write.
     *
     * @param task which the other thread closes
     * @param records appends some records to the topics
     */
    BusySink(RunningTask task, Runnable records) {
        thread = new Thread(
                () -> {
                    try (task) {
                        while (!isEnding) {
                            records.run();
                            task.step();
                        }
                        task.catchUp();
                    } catch (RuntimeException | Error e) {
                        failure.set(e);
                    }
                },
                "busy-sink");
        thread.start();
    }

    /** Ends when everything is written. */
    @Override
    public void close() throws InterruptedException {
        isEnding = true;
        thread.join();
        if (failure.get() != null) {
            throw new IllegalStateException("the busy sink has failed: " + failure.get(), failure.get());
        }
    }
}
