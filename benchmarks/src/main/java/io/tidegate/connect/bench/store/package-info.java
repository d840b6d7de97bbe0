/**
 * The kinds of stores that connectors write to, and bare clients that write to each. It imports only the stores of
 * connect-tools; above all no connector.
 */
package io.tidegate.connect.bench.store;
