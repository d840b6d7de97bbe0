/** {@code ./bench sweep}: {@code ./bench sink} for every combination of what a file lists. */
package io.tidegate.connect.bench.sweep;
