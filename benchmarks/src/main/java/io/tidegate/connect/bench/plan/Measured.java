package io.tidegate.connect.bench.plan;

/** The measured rate of a number of tasks, in records/s. */
record Measured(double tasks, double rate) {}
