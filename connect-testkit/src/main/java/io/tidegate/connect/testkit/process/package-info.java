/**
 * Starts and stops server processes: their folders, ports and logs, and their end when this JVM ends. The packages of the
 * servers extend {@link io.tidegate.connect.testkit.process.ChildServer}; this package imports none of them.
 */
package io.tidegate.connect.testkit.process;
