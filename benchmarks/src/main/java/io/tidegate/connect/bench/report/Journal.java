package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.cli.ToolException;
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
 *
 * @param benchmark the name of the subcommand
 * @param command the command line that runs it again
 * @param folder the result folder
 * @param environment machine, versions and commit; the servers' versions are added when they run
 */
public record Journal(
        String benchmark,
        String command,
        Path folder,
        PrintWriter out,
        String started,
        Map<String, String> environment,
        Map<String, String> settings,
        List<CandidateInfo> entrants,
        List<Run> runs,
        List<String> findings) {
    /** An empty journal of a measurement that starts now. */
    public Journal(String benchmark, String command, Path folder, PrintWriter out, Map<String, String> environment) {
        this(
                benchmark,
                command,
                folder,
                out,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                new LinkedHashMap<>(environment),
                new LinkedHashMap<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>());
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
