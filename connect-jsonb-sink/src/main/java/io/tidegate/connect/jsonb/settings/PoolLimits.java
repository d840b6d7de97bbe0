package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * What a user asks of a pool. Where its users differ, the largest value counts.
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

    public PoolLimits largest(PoolLimits other) {
        return new PoolLimits(
                Math.max(size, other.size),
                longer(poolWait, other.poolWait),
                longer(connectTimeout, other.connectTimeout),
                longer(socketTimeout, other.socketTimeout));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** Uses the names of the settings. */
    @Override
    public String toString() {
        return ConnectionSettings.POOL_MAX_SIZE + "=" + size + ", " + ConnectionSettings.POOL_WAIT_MS + "="
                + poolWait.toMillis() + ", " + ConnectionSettings.CONNECT_TIMEOUT_MS + "=" + connectTimeout.toMillis()
                + ", " + ConnectionSettings.SOCKET_TIMEOUT_MS + "=" + socketTimeout.toMillis();
    }
}
