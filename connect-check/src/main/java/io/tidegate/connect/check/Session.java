package io.tidegate.connect.check;

import io.tidegate.connect.check.draw.Seeds;
import io.tidegate.connect.check.draw.SinkDraw;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.report.Pairs;
import io.tidegate.connect.check.run.CaseRunner;
import io.tidegate.connect.check.run.Outcome;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Draws and runs cases for a time, several at once. */
final class Session {
    private static final Duration CLOSE = Duration.ofSeconds(20);
    private static final int CANDIDATES = 12;

    /** Of a refusal: Connect gives the number of errors and then the first one. */
    private static final int LINES = 2;

    private static final Duration PROGRESS = Duration.ofSeconds(10);

    private final CaseRunner runner;
    private final List<SinkDraw> draws;
    private final int atOnce;
    private final PrintWriter out;
    private final Pairs pairs = new Pairs();
    private final Pairs chosen = new Pairs(); // also of cases that still run
    private final List<Outcome> failed = new ArrayList<>();
    private final List<Outcome> refused = new ArrayList<>();
    private Optional<First> first = Optional.empty();
    private int done;
    private long records;

    Session(CaseRunner runner, List<SinkDraw> draws, int atOnce, PrintWriter out) {
        this.runner = runner;
        this.draws = List.copyOf(draws);
        this.atOnce = atOnce;
        this.out = out;
    }

    /** The first case that failed, and when, by {@link System#nanoTime}. */
    record First(Outcome outcome, long at) {}

    /** Runs until the time is over and all cases have ended, or until so many cases have failed. */
    void run(long seed, Duration time, int mostFailures) throws InterruptedException {
        long start = System.nanoTime();
        long nextProgress = start + PROGRESS.toNanos();
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        CompletionService<Outcome> cases = new ExecutorCompletionService<>(threads);
        int running = 0;
        int drawn = 0;
        try {
            boolean more = true;
            while ((running > 0 || more) && failed.size() < mostFailures) {
                more = System.nanoTime() - start < time.toNanos();
                while (more && running < atOnce) {
                    CheckCase planned = choose(draws.get(drawn % draws.size()), seed, drawn);
                    drawn++;
                    running++;
                    cases.submit(() -> runner.run(planned));
                }
                Future<Outcome> next = cases.poll(1, TimeUnit.SECONDS);
                if (next != null) {
                    running--;
                    take(next.get());
                }
                if (System.nanoTime() > nextProgress) {
                    progress(Duration.ofNanos(System.nanoTime() - start), time);
                    nextProgress = System.nanoTime() + PROGRESS.toNanos();
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
            threads.awaitTermination(CLOSE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Of some candidates the one with the most pairs that have never met, so that all pairs meet soon. */
    private CheckCase choose(SinkDraw draw, long seed, int number) {
        CheckCase best = null;
        int most = -1;
        for (int i = 0; i < CANDIDATES; i++) {
            CheckCase candidate = draw.draw(Seeds.of(seed, number * CANDIDATES + i));
            int news = chosen.news(candidate);
            if (news > most) {
                best = candidate;
                most = news;
            }
        }
        chosen.add(best);
        return best;
    }

    private void take(Outcome outcome) {
        done++;
        if (outcome.refusal().isPresent()) {
            refused.add(outcome);
            out.println("  not run: " + outcome.planned().sink() + " seed "
                    + outcome.planned().seed() + ": "
                    + outcome.refusal().get().lines().limit(LINES).collect(Collectors.joining(" ")));
            return;
        }
        records += outcome.planned().records();
        pairs.add(outcome.planned());
        if (outcome.failed()) {
            failed.add(outcome);
            if (first.isEmpty()) {
                first = Optional.of(new First(outcome, System.nanoTime()));
            }
            out.println("  FAILED: " + outcome.planned().sink() + " seed "
                    + outcome.planned().seed());
            outcome.differences().stream().limit(3).forEach(difference -> out.println("    " + difference));
        }
    }

    private void progress(Duration passed, Duration time) {
        out.println(String.format(
                Locale.ROOT,
                "  %3d s of %d: %d cases (%.0f a minute), %d records, %d failed, %d not run, %d pairs met",
                passed.toSeconds(),
                time.toSeconds(),
                done,
                done * 60.0 / Math.max(1, passed.toSeconds()),
                records,
                failed.size(),
                refused.size(),
                pairs.met()));
    }

    Optional<First> firstFailure() {
        return first;
    }

    List<Outcome> failed() {
        return failed;
    }

    List<Outcome> refused() {
        return refused;
    }

    int done() {
        return done;
    }

    long records() {
        return records;
    }

    Pairs pairs() {
        return pairs;
    }
}
