package io.tidegate.connect.bench.workload;

/**
 * A phase of a load with its name.
 *
 * @param counted whether the phase is measured; a warm-up is not
 */
public record LoadPhase(String name, Phase shape, boolean counted) {}
