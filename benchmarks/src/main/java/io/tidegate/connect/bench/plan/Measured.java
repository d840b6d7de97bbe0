package io.tidegate.connect.bench.plan;

/** A rate, in records/s, that so many tasks were seen to reach. */
record Measured(double tasks, double rate) {}
