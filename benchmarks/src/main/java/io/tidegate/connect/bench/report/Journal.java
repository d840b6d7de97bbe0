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
 * What a measurement has found so far: its command adds to it, says its progress through it, and has it written after every
 * part, so that an end at any time keeps what was found. The main thread only.
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
     * An empty one.
     *
     * @param benchmark the subcommand
     * @param command what to type to run it again
     * @param environment machine, versions and commit, as far as they are known before servers start
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

    /** To add to. */
    public Map<String, String> environment() {
        return environment;
    }

    /** To add to. */
    public Map<String, String> settings() {
        return settings;
    }

    /** To add to. */
    public List<CandidateInfo> entrants() {
        return entrants;
    }

    /** To add to. */
    public List<Run> runs() {
        return runs;
    }

    /** To add to. */
    public List<String> findings() {
        return findings;
    }

    /** All of it, as it is now. */
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

    /** Writes an incomplete result without pictures, which take time to draw. */
    public void writeMeanwhile() throws ToolException {
        HtmlReport.writeMeanwhile(folder, results(false));
    }

    /** Writes the whole folder. */
    public Results write(boolean complete) throws ToolException {
        Results results = results(complete);
        HtmlReport.write(folder, results);
        return results;
    }

    /** Writes what there is when the measurement ends early, unless nothing was found. */
    public void finishEarly() throws ToolException {
        if (!runs.isEmpty()) {
            write(false);
            sayFolder(false);
        }
    }

    /** Tells the user where the results are. */
    public void sayFolder(boolean complete) {
        say((complete ? "Results: " : "What was found before the end: ") + folder);
    }

    /** A line for the user. */
    public void say(String line) {
        out.println(line);
        out.flush();
    }
}
