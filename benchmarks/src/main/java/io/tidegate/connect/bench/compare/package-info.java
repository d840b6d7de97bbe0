/** {@code ./bench compare}: what changed between two result folders, beyond the noise. */
package io.tidegate.connect.bench.compare;
