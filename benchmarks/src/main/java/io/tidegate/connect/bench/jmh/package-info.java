/** {@code ./bench micro}: JMH in a process of its own, and its results in the form of all others. */
package io.tidegate.connect.bench.jmh;
