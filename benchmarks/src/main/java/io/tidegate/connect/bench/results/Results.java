package io.tidegate.connect.bench.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * The content of {@code results.json}.
 *
 * @param format the version of the format; readers reject a higher one
 * @param benchmark the name of the subcommand
 * @param command the command line that runs it again
 * @param complete whether the measurement finished
 * @param environment machine, versions and commit
 * @param settings the settings of the measurement
 * @param findings the conclusions, as sentences
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

    /** Older files have no findings. */
    public Results {
        findings = findings == null ? List.of() : List.copyOf(findings);
    }
}
