/**
 * {@code ./bench plan}: calculates the numbers of tasks, partitions, workers and connections from measured rates. Only
 * the command line calls this package; it must not import packages that measure. Hipparchus solves the least squares.
 * The rule that no term is below 0 is hand-written, because three terms need only six small fits.
 */
package io.tidegate.connect.bench.plan;
