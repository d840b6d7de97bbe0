/** Records to send: tide readings in their own size or in another one. It imports only the tides of connect-tools. */
package io.tidegate.connect.bench.input;
