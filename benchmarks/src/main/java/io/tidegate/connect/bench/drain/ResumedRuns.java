package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.cli.ToolException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Selects the runs of an earlier call. */
public final class ResumedRuns {
    private ResumedRuns() {}

    /**
     * The runs that are not repeated: the counted runs of entrants that did not change.
     *
     * @param now the current results, without runs
     * @throws ToolException if machine, versions, commit or settings differ: the results would be overwritten
     */
    static List<Run> runs(Results earlier, Results now) throws ToolException {
        if (earlier.runs().stream().noneMatch(Run::counts)) {
            return List.of();
        }
        refuseDifference(Map.of("benchmark", earlier.benchmark()), Map.of("benchmark", now.benchmark()));
        refuseDifference(earlier.environment(), now.environment());
        refuseDifference(earlier.settings(), now.settings());
        Set<String> same = now.entrants().stream()
                .filter(earlier.entrants()::contains)
                .map(CandidateInfo::label)
                .collect(Collectors.toSet());
        return earlier.runs().stream()
                .filter(run -> run.counts() && same.contains(run.entrant()))
                .toList();
    }

    /** Fails if the results of an earlier call are not of the same measurement. */
    public static void refuseDifference(Map<String, String> before, Map<String, String> now) throws ToolException {
        Set<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(now.keySet());
        for (String key : keys) {
            if (!Objects.equals(before.get(key), now.get(key))) {
                throw new ToolException("the existing results cannot be continued: " + key + " was "
                        + before.getOrDefault(key, "none") + " and is " + now.getOrDefault(key, "none")
                        + ". Use another --out, or delete the results");
            }
        }
    }
}
