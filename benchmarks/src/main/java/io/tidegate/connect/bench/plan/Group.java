package io.tidegate.connect.bench.plan;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Rates that differ by the number of tasks alone.
 *
 * @param workerCpu CPU seconds of the worker for a million records, where known
 * @param allCpu the same of worker, broker and server
 * @param connections of each task, where known
 */
public record Group(
        String name,
        List<Measured> rates,
        OptionalDouble workerCpu,
        OptionalDouble allCpu,
        OptionalDouble connections) {
    static Group ofRates(String name, List<Measured> rates) {
        return new Group(name, rates, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
    }
}
