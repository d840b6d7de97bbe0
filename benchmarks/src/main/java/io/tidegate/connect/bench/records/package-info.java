/**
 * The records of a measurement, made from tide readings: of one size, gathered, repeated, with unique keys. Commands and
 * workloads use this package; it imports the readings of connect-lab only.
 */
package io.tidegate.connect.bench.records;
