/**
 * {@code ./bench compare}: what changed between two result folders, beyond the noise. Only the command line calls it; it must not import
 * what measures. The bootstrap is by hand: no small library has it, and it is one loop.
 */
package io.tidegate.connect.bench.compare;
