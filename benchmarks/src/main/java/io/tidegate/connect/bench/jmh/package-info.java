/**
 * JMH in a process of its own, and its results in the form of all others. The command {@code micro} calls it; it imports results
 * alone, and nothing of what is measured.
 */
package io.tidegate.connect.bench.jmh;
