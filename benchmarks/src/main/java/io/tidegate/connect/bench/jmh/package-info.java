/**
 * Runs JMH in a separate process, and converts its results to the common form. The command {@code micro} calls this
 * package; it imports only {@code results} and connect-lab, and no measured code.
 */
package io.tidegate.connect.bench.jmh;
