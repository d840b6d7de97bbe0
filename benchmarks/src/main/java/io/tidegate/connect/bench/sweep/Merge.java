package io.tidegate.connect.bench.sweep;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Merges the results of several cells. The name of the cell becomes part of the names of its entrants. */
public final class Merge {
    private Merge() {}

    /**
     * Merges the results.
     *
     * @param parts at least one, by the name of the cell
     */
    public static Results of(Map<String, Results> parts, String command, boolean complete) {
        Results first = parts.values().iterator().next();
        List<CandidateInfo> entrants = new ArrayList<>();
        List<Run> runs = new ArrayList<>();
        parts.forEach((cell, part) -> {
            for (CandidateInfo one : part.entrants()) {
                String label = named(one.label(), cell);
                entrants.add(new CandidateInfo(label, one.kind(), one.store(), one.tasks(), one.config()));
            }
            for (Run run : part.runs()) {
                String label = named(run.entrant(), cell);
                runs.add(new Run(label, run.round(), run.outcome(), run.noisy(), run.measures(), List.of()));
            }
        });
        return new Results(
                Results.FORMAT,
                "sweep",
                command,
                first.started(),
                complete,
                first.environment(),
                Map.of("cells", String.join(", ", parts.keySet())),
                entrants,
                runs,
                Summary.of(entrants, runs),
                List.of());
    }

    /** Inserts the cell before the number of tasks, which stays at the end. */
    private static String named(String label, String cell) {
        return label.replaceFirst(", (\\d+ \\w+)$", " " + cell + ", $1");
    }
}
