package io.tidegate.connect.tools.audit;

import io.tidegate.connect.cli.ToolException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Works on the store while the next records are read. Steps run one after the other, and few of them wait. The reading
 * thread uses it.
 */
final class StoreThread implements AutoCloseable {
    /** Each step holds a batch of documents. */
    private static final int MOST_WAITING = 3;

    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread made = new Thread(work, "tidegate-audit-store");
        made.setDaemon(true);
        return made;
    });
    private final Deque<Future<Void>> steps = new ArrayDeque<>();

    /** A step of the work. */
    @FunctionalInterface
    interface Step {
        void run() throws ToolException, InterruptedException;
    }

    /** Runs the step when those before it are done. Throws what an earlier one has thrown. */
    void run(Step step) throws ToolException, InterruptedException {
        while (steps.size() >= MOST_WAITING) {
            await(steps.remove());
        }
        steps.add(thread.submit(() -> {
            step.run();
            return null;
        }));
    }

    /** Waits until all steps are done. */
    void drain() throws ToolException, InterruptedException {
        while (!steps.isEmpty()) {
            await(steps.remove());
        }
    }

    private static void await(Future<Void> step) throws ToolException, InterruptedException {
        try {
            Void unused = step.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ToolException failure) {
                throw failure;
            }
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new ToolException(String.valueOf(e.getCause().getMessage()), e.getCause());
        }
    }

    /** Ends the step that runs, if it can be interrupted, and waits for it. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(LONGEST_END.toSeconds(), TimeUnit.SECONDS)) {
                return; // the JVM ends without it
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
