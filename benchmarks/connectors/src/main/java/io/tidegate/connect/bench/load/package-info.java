/**
 * The shape of a load: its phases, and the due time and value of each record. The generator's task and the benchmarks'
 * own producer call this package; it imports neither.
 */
package io.tidegate.connect.bench.load;
