/** What a benchmark found: the model behind {@code results.json}, its files, and the statistics over several runs. */
package io.tidegate.connect.bench.results;
