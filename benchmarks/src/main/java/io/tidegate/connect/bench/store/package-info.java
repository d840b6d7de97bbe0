/**
 * The kinds of stores that connectors write to, with a bare client for each. It imports only the stores of
 * connect-harness, and no connector.
 */
package io.tidegate.connect.bench.store;
