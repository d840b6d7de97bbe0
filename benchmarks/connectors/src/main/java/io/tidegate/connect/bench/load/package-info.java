/**
 * The shape of a load: phases, when each record is due, and what it carries. The generator's task and the benchmarks' own
 * producer call it; it imports neither.
 */
package io.tidegate.connect.bench.load;
