package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.tools.ToolException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the results of a running measurement. Its command adds to the maps and lists, prints progress, and writes
 * the folder after every part, so that a cancelled measurement keeps its results. Only the main thread uses it.
 */
public final class Journal {
    private final String benchmark;
    private final String command;
    private final Path folder;
    private final PrintWriter out;
    private final String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    private final Map<String, String> environment;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<CandidateInfo> entrants = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();

    /**
     * Makes an empty journal.
     *
     * @param benchmark the name of the subcommand
     * @param command the command line that runs it again
     * @param environment machine, versions and commit, as far as they are known before the servers start
     */
    public Journal(String benchmark, String command, Path folder, PrintWriter out, Map<String, String> environment) {
        this.benchmark = benchmark;
        this.command = command;
        this.folder = folder;
        this.out = out;
        this.environment = new LinkedHashMap<>(environment);
    }

    /** The result folder. */
    public Path folder() {
        return folder;
    }

    public Map<String, String> environment() {
        return environment;
    }

    public Map<String, String> settings() {
        return settings;
    }

    public List<CandidateInfo> entrants() {
        return entrants;
    }

    public List<Run> runs() {
        return runs;
    }

    public List<String> findings() {
        return findings;
    }

    /** The results so far. */
    public Results results(boolean complete) {
        return new Results(
                Results.FORMAT,
                benchmark,
                command,
                started,
                complete,
                environment,
                settings,
                List.copyOf(entrants),
                List.copyOf(runs),
                Summary.of(entrants, runs),
                findings);
    }

    /** Writes the incomplete results without pictures, because drawing takes time. */
    public void writeMeanwhile() throws ToolException {
        HtmlReport.writeMeanwhile(folder, results(false));
    }

    /** Writes the whole folder. */
    public Results write(boolean complete) throws ToolException {
        Results results = results(complete);
        HtmlReport.write(folder, results);
        return results;
    }

    /** Writes the results of a measurement that ends early, if there is at least one run. */
    public void finishEarly() throws ToolException {
        if (!runs.isEmpty()) {
            write(false);
            sayFolder(false);
        }
    }

    /** Prints the path of the result folder. */
    public void sayFolder(boolean complete) {
        say((complete ? "Results: " : "Partial results: ") + folder);
    }

    /** Prints a line. */
    public void say(String line) {
        out.println(line);
        out.flush();
    }
}
