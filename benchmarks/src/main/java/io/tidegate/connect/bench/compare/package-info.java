/**
 * {@code ./bench compare}: finds the changes between two result folders that exceed the noise. Only the command line
 * calls this package; it must not import packages that measure. The bootstrap is hand-written: it is one loop, and no
 * small library has it.
 */
package io.tidegate.connect.bench.compare;
