/**
 * Loads with a shape: files, generators, the latencies of records, and the bench that runs one until all is stored. Commands and
 * scenarios call it; it must import neither, nor {@code drain}.
 */
package io.tidegate.connect.bench.workload;
