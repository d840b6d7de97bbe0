package io.tidegate.connect.check.run;

import io.tidegate.connect.check.oracle.Difference;
import io.tidegate.connect.check.plan.CheckCase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a case ended.
 *
 * @param felt what happened to servers that other cases share
 * @param refusal why Connect did not accept the configuration, or why nothing can be said of the case; there are no differences
 *     then
 */
public record Outcome(
        CheckCase planned, List<Difference> differences, Optional<String> refusal, List<String> felt, Duration took) {
    public Outcome {
        differences = List.copyOf(differences);
        felt = List.copyOf(felt);
    }

    public boolean failed() {
        return !differences.isEmpty();
    }
}
