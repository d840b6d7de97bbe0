package io.tidegate.connect.bench.results;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One run of one entrant.
 *
 * @param entrant its label
 * @param round counted from 1; 0 is the warm-up
 * @param outcome {@link #OK}, or why the figures do not count
 * @param noisy whether others took so much CPU that the rate is not to be trusted
 * @param measures by {@link Measure#key}; what could not be measured is absent
 */
public record Run(
        String entrant, int round, String outcome, boolean noisy, Map<String, Double> measures, List<Sample> series) {
    public static final String OK = "ok";

    @JsonIgnore
    public boolean isOk() {
        return outcome.equals(OK);
    }

    /** Whether it goes into medians: a success, and not the warm-up. */
    @JsonIgnore
    public boolean counts() {
        return isOk() && round > 0;
    }

    public Optional<Double> measure(Measure measure) {
        return Optional.ofNullable(measures.get(measure.key()));
    }
}
