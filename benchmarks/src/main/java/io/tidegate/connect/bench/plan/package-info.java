/** {@code ./bench plan}: from measured rates to numbers of tasks, partitions, workers and connections. */
package io.tidegate.connect.bench.plan;
