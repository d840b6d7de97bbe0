/** {@code ./bench workload}: load with a shape, and how long records take from when they were due until they are stored. */
package io.tidegate.connect.bench.workload;
