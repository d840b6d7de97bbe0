package io.tidegate.connect.tools;

import io.tidegate.connect.testkit.process.JvmEnd;
import io.tidegate.connect.testkit.process.ServerException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C or SIGTERM: interrupts the main thread and holds the JVM and its servers until that thread has kept what it found and
 * closed what it opened, for a minute at most. The JVM's exit status is 128 and the signal's number, so 130 for Ctrl-C.
 */
public final class Interruption implements AutoCloseable {
    private static final int CLOSE_SECONDS = 60;

    private final CountDownLatch closed = new CountDownLatch(1);

    private Interruption() {}

    /** From now on; the thread is the one to interrupt. */
    public static Interruption of(Thread main) {
        Interruption interruption = new Interruption();
        JvmEnd.beforeServersEnd(() -> interruption.interrupt(main));
        return interruption;
    }

    /**
     * Whoever waited for a server and was interrupted has got a failure of that server. The thread's flag is cleared, so that the
     * thread can keep what it has and close.
     *
     * @throws InterruptedException if that was the cause
     */
    public static void unwrap(ServerException e) throws InterruptedException {
        if (Thread.interrupted()) {
            throw (InterruptedException) new InterruptedException().initCause(e);
        }
    }

    /** What is written to the end, interrupted or not. */
    @FunctionalInterface
    public interface Step {
        void run() throws ToolException;
    }

    /**
     * Runs a step on a separate thread and waits for its end; an interruption is kept for later. A channel to a file is
     * closed under a writer that is interrupted, and what draws pictures forgets that it was.
     *
     * @throws ToolException that of the step
     */
    public static void defer(Step step) throws ToolException {
        FutureTask<Void> task = new FutureTask<>(() -> {
            step.run();
            return null;
        });
        new Thread(task, "bench-files").start();
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

    /** The main thread is done. */
    @Override
    public void close() {
        closed.countDown();
    }
}
