/**
 * {@code ./bench plan}: from measured rates to numbers of tasks, partitions, workers and connections. Only the command line calls it; it
 * must not import what measures. Hipparchus solves the least squares; that no term may be below 0 is by hand, because with three terms it
 * is six small fits.
 */
package io.tidegate.connect.bench.plan;
