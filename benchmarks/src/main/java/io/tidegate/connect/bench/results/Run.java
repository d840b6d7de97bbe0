package io.tidegate.connect.bench.results;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One run of one candidate.
 *
 * @param entrant the label of the candidate
 * @param round counted from 1; warm-ups have 0 or less
 * @param outcome {@link #OK}, or the reason why the run failed
 * @param noisy whether the rate is unreliable, because of other processes or a slow generator
 * @param measures by {@link Measure#key}; unknown values are absent
 */
public record Run(
        String entrant, int round, String outcome, boolean noisy, Map<String, Double> measures, List<Sample> series) {
    public static final String OK = "ok";

    @JsonIgnore
    public boolean isOk() {
        return outcome.equals(OK);
    }

    /** Whether medians include the run: it succeeded and is not a warm-up. */
    @JsonIgnore
    public boolean counts() {
        return isOk() && round > 0;
    }

    public Optional<Double> measure(Measure measure) {
        return Optional.ofNullable(measures.get(measure.key()));
    }
}
