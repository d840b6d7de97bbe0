package io.tidegate.connect.bench.plan;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Measured rates that differ only in the number of tasks.
 *
 * @param workerCpu CPU seconds of the worker per million records, if known
 * @param allCpu the same for worker, broker and server together
 * @param connections connections per task, if known
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
