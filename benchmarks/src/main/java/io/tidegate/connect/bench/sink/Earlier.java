package io.tidegate.connect.bench.sink;

import io.tidegate.connect.bench.BenchException;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What an earlier call has measured. */
final class Earlier {
    private Earlier() {}

    /**
     * The runs that need not be done again: those that count, of entrants that are the same now, if machine, versions,
     * commit and settings are. None where there are no results, or none that can be read.
     *
     * @param now without runs
     */
    static List<Run> runs(ResultFiles files, Results now) {
        Results earlier;
        try {
            earlier = files.read();
        } catch (BenchException e) {
            return List.of();
        }
        if (!earlier.benchmark().equals(now.benchmark())
                || !earlier.environment().equals(now.environment())
                || !earlier.settings().equals(now.settings())) {
            return List.of();
        }
        Set<String> same = now.entrants().stream()
                .filter(earlier.entrants()::contains)
                .map(Entrant::label)
                .collect(Collectors.toSet());
        return earlier.runs().stream()
                .filter(run -> run.counts() && same.contains(run.entrant()))
                .toList();
    }
}
