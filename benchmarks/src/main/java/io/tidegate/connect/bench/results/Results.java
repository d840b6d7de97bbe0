package io.tidegate.connect.bench.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * All of {@code results.json}.
 *
 * @param format of this file; readers refuse a higher one
 * @param benchmark the subcommand
 * @param command what to type to run it again
 * @param complete whether it came to its end
 * @param environment machine, versions and commit
 * @param settings what was measured how
 * @param findings what follows from it, in sentences
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Results(
        int format,
        String benchmark,
        String command,
        String started,
        boolean complete,
        Map<String, String> environment,
        Map<String, String> settings,
        List<CandidateInfo> entrants,
        List<Run> runs,
        Summary summary,
        List<String> findings) {
    public static final int FORMAT = 1;

    /** The same results with what follows from them. */
    public Results with(List<String> found) {
        return new Results(
                format, benchmark, command, started, complete, environment, settings, entrants, runs, summary, found);
    }

    /** Files that were written before there were findings have none. */
    public Results {
        findings = findings == null ? List.of() : List.copyOf(findings);
    }
}
