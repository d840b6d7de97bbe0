/**
 * Files that list what to combine, and the results of all combinations as one. The command {@code sweep} calls it; it imports
 * results alone.
 */
package io.tidegate.connect.bench.sweep;
