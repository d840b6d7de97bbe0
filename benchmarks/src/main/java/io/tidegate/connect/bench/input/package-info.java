/**
 * Records to send: tide readings as they are, in another size, again and again, or with unique keys. It imports only the tides of
 * connect-tools.
 */
package io.tidegate.connect.bench.input;
