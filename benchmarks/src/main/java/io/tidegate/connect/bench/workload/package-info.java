/**
 * Loads whose rate changes over time: their files, the generator, latencies, and the measurement itself. Commands
 * call this package; it must import neither them nor {@code drain}.
 */
package io.tidegate.connect.bench.workload;
