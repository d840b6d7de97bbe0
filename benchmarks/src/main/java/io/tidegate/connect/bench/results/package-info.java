/**
 * What a benchmark found: the model of {@code results.json}, its files, and the statistics over several runs. Every benchmark and
 * every command that reads results calls it; it must import nothing of the benchmarks but their errors and interruption.
 */
package io.tidegate.connect.bench.results;
