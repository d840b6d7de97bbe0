package io.tidegate.connect.check;

import io.tidegate.connect.check.event.Happenings;
import io.tidegate.connect.check.oracle.Difference;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.reduce.Reducer;
import io.tidegate.connect.check.report.PastedTest;
import io.tidegate.connect.check.run.CaseRunner;
import io.tidegate.connect.check.run.Lab;
import io.tidegate.connect.check.run.Outcome;
import io.tidegate.connect.check.sink.Sinks;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/** Servers that run, and what runs cases on them. */
final class Bench implements AutoCloseable {
    private static final int MOST_TRIALS = 60;
    private static final int MOST_SHOWN = 8;

    private final Lab lab;
    private final CaseRunner runner;
    private final String command;
    private final Path failures;

    private Bench(Lab lab, CaseRunner runner, String command, Path failures) {
        this.lab = lab;
        this.runner = runner;
        this.command = command;
        this.failures = failures;
    }

    /**
     * Starts the servers.
     *
     * @param isOpenSearch whether OpenSearch runs instead of Elasticsearch
     * @param command with which the user gets the same servers and sinks again
     * @param home the checkout; cases that fail are kept in its {@code connect-check/target/failed}
     */
    static Bench start(Sinks sinks, boolean isOpenSearch, String command, Path home, PrintWriter out)
            throws ToolException {
        long start = System.nanoTime();
        Lab lab = new Lab(sinks.plugins(), sinks.stores(isOpenSearch));
        try {
            lab.start();
        } catch (ServerException | CompletionException e) {
            lab.close();
            throw new ToolException("the servers did not start: " + e.getMessage(), e);
        }
        out.println(String.format(
                Locale.ROOT,
                "Servers run after %.0f s: a broker, two workers, a registry, %s.",
                (System.nanoTime() - start) / 1e9,
                String.join(" and ", lab.kinds())));
        return new Bench(
                lab,
                new CaseRunner(lab, sinks.byName(), Happenings.byName()),
                command,
                home.resolve("connect-check/target/failed"));
    }

    CaseRunner runner() {
        return runner;
    }

    /** Prints all about a failing case, perhaps after making it smaller. */
    void explain(Outcome failed, boolean reduce, PrintWriter out) throws InterruptedException {
        CheckCase shown = failed.planned();
        out.println();
        out.println("FAILED: " + shown.sink() + " seed " + shown.seed() + ", " + shown.records()
                + " records, happenings " + shown.happenings() + ", servers that all cases share " + failed.felt());
        failed.differences().stream().limit(MOST_SHOWN).forEach(difference -> out.println("  " + difference));
        out.println("  to run it again: " + command + " --repeat " + kept(shown));
        if (!reduce) {
            shown.settings().forEach((key, value) -> out.println("    " + key + "=" + value));
            return;
        }
        Set<Difference.Kind> kinds =
                failed.differences().stream().map(Difference::kind).collect(Collectors.toSet());
        Reducer.Trial trial = smaller ->
                runner.run(smaller).differences().stream().anyMatch(difference -> kinds.contains(difference.kind()));
        if (!trial.fails(shown)) {
            out.println("  It did not fail again when it ran alone, so it depends on time or on other cases.");
            return;
        }
        Reducer reducer = new Reducer(trial, MOST_TRIALS);
        CheckCase smallest = reducer.reduce(shown);
        out.println("  smaller after " + reducer.trials() + " runs: " + smallest.records() + " records, "
                + smallest.settings().size() + " settings, happenings " + smallest.happenings());
        out.println(PastedTest.of(smallest));
    }

    /** Writes the case to a file that {@code --repeat} takes. */
    private Path kept(CheckCase planned) {
        Path file = failures.resolve(planned.sink() + "-" + planned.seed() + ".json");
        try {
            Files.createDirectories(failures);
            Files.writeString(file, planned.json() + "\n");
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        lab.close();
    }
}
