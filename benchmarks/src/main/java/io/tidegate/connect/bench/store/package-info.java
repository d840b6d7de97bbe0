/**
 * The kinds of stores that connectors write to, with a raw client for each, which writes prepared requests to show what
 * the rows alone cost the server. It imports only the stores of connect-lab, and no connector.
 */
package io.tidegate.connect.bench.store;
