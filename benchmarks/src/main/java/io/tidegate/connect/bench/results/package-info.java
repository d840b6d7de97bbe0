/**
 * The results of a benchmark: the model of {@code results.json}, its files, and statistics over several runs. Every
 * benchmark and every command that reads results calls this package. It must not import other packages of the
 * benchmarks.
 */
package io.tidegate.connect.bench.results;
