package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * The limits of a pool. Connectors of a worker with equal logins and equal limits share one.
 *
 * @param size most connections of a worker, for all tasks and connectors together; at least 1
 * @param poolWait how long a batch waits for a connection before it is retried
 * @param connectTimeout how long opening a connection to one host may take
 * @param socketTimeout how long the server may take to answer
 */
public record PoolLimits(int size, Duration poolWait, Duration connectTimeout, Duration socketTimeout) {
    public PoolLimits {
        requireNonNull(poolWait, "poolWait");
        requireNonNull(connectTimeout, "connectTimeout");
        requireNonNull(socketTimeout, "socketTimeout");
    }
}
