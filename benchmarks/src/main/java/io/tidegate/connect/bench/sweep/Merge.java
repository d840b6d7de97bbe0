package io.tidegate.connect.bench.sweep;

import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes one result of those of several cells; what a cell has in common goes into its entrants' names. */
public final class Merge {
    private Merge() {}

    /**
     * Merges.
     *
     * @param parts by the name of the cell, at least one
     */
    public static Results of(Map<String, Results> parts, String command, boolean complete) {
        Results first = parts.values().iterator().next();
        List<Entrant> entrants = new ArrayList<>();
        List<Run> runs = new ArrayList<>();
        Map<String, String> settings = new LinkedHashMap<>(Map.of("cells", String.join(", ", parts.keySet())));
        parts.forEach((cell, part) -> {
            part.entrants()
                    .forEach(entrant -> entrants.add(new Entrant(
                            named(entrant.label(), cell),
                            entrant.kind(),
                            entrant.store(),
                            entrant.tasks(),
                            entrant.config())));
            part.runs()
                    .forEach(run -> runs.add(new Run(
                            named(run.entrant(), cell),
                            run.round(),
                            run.outcome(),
                            run.noisy(),
                            run.measures(),
                            List.of())));
        });
        return new Results(
                Results.FORMAT,
                "sweep",
                command,
                first.started(),
                complete,
                first.environment(),
                settings,
                entrants,
                runs,
                Summary.of(entrants, runs),
                List.of());
    }

    /** Before the number of tasks, which stays at the end. */
    private static String named(String label, String cell) {
        return label.replaceFirst(", (\\d+ \\w+)$", " " + cell + ", $1");
    }
}
