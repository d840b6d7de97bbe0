package io.tidegate.connect.elasticsearch.client;

/**
 * A worker's connections to one cluster at one moment.
 *
 * @param active in use
 * @param idle open and unused
 * @param waiting requests that have none yet
 * @param most that may be open
 */
public record ConnectionCounts(int active, int idle, int waiting, int most) {
    public static final ConnectionCounts NONE = new ConnectionCounts(0, 0, 0, 0);
}
