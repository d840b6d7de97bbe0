/**
 * Files that list combinations to measure, and the merged results of all combinations. The command {@code sweep} calls
 * this package; it imports only {@code results} and connect-lab.
 */
package io.tidegate.connect.bench.sweep;
