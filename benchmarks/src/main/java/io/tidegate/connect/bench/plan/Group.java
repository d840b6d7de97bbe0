package io.tidegate.connect.bench.plan;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Rates that differ by the number of tasks alone.
 *
 * @param workerCpu CPU seconds of the worker for a million records, where known
 * @param connections of each task, where known
 */
public record Group(
        String name,
        List<Measured> rates,
        OptionalDouble workerCpu,
        OptionalDouble allCpu,
        OptionalDouble connections) {
    double highestRate() {
        return rates.stream().mapToDouble(Measured::rate).max().orElse(0);
    }
}
