package io.tidegate.connect.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Interrupts the main thread at Ctrl-C or SIGTERM. The JVM lives on for up to a minute, until that thread has
 * closed. The exit status is 128 plus the signal's number, so 130 for Ctrl-C.
 */
public final class Interruption implements AutoCloseable {
    private static final int CLOSE_SECONDS = 60;

    private final CountDownLatch closed = new CountDownLatch(1);

    private Interruption() {}

    /** Starts handling signals: they interrupt this thread. */
    public static Interruption of(Thread main) {
        return of(main, step -> Runtime.getRuntime().addShutdownHook(new Thread(step, "tidegate-end")));
    }

    /**
     * Starts handling signals: they interrupt this thread.
     *
     * @param atEnd is given the step that the JVM must run first when it ends
     */
    public static Interruption of(Thread main, Consumer<Runnable> atEnd) {
        Interruption interruption = new Interruption();
        atEnd.accept(() -> interruption.interrupt(main));
        return interruption;
    }

    /**
     * Turns a failure into an {@link InterruptedException} if an interrupt of this thread was its cause.
     * Clears the thread's interrupt flag, so that the thread can save its results and close.
     *
     * @throws InterruptedException if an interrupt was the cause
     */
    public static void unwrap(RuntimeException e) throws InterruptedException {
        if (Thread.interrupted()) {
            throw (InterruptedException) new InterruptedException().initCause(e);
        }
    }

    /** A step that must finish even after an interrupt. */
    @FunctionalInterface
    public interface Step {
        void run() throws ToolException;
    }

    /**
     * Runs a step on a separate thread and defers an interrupt of the caller to its end. An interrupt of the writing
     * thread would close its file, and the chart library would lose it.
     *
     * @throws ToolException if the step throws it
     */
    public static void defer(Step step) throws ToolException {
        FutureTask<Void> task = new FutureTask<>(() -> {
            step.run();
            return null;
        });
        new Thread(task, "tidegate-files").start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    task.get();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ToolException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
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

    /** Tells that the main thread has finished. */
    @Override
    public void close() {
        closed.countDown();
    }
}
