/**
 * The common parts of the micro benchmarks. The benchmarks are in the packages that they measure, so that the measured
 * classes can stay package-private.
 */
package io.tidegate.connect.bench.micro;
