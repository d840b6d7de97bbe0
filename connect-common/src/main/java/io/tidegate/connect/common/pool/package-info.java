/**
 * Resources that the tasks of a worker share: the first lease opens one, the last one closes it, and connectors take turns.
 * The sinks keep their connection pools and HTTP clients in it. It imports no other package of the core.
 */
package io.tidegate.connect.common.pool;
