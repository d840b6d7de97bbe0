/**
 * Asks the server whether a configuration can work, before Connect accepts it. {@link
 * io.tidegate.connect.jsonb.PostgresTargetType} calls it. It changes nothing on the server and opens connections
 * without the pool. It must not import {@code write}.
 */
package io.tidegate.connect.jsonb.check;
