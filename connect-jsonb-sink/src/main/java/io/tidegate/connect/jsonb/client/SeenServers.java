package io.tidegate.connect.jsonb.client;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The servers that one pool has seen at its address. One that it has not seen before takes the place of the present one.
 * One that it has seen before does not: several servers may be behind one address, and an old primary may come back.
 * Any thread.
 */
final class SeenServers {
    /** Servers that are remembered, each restart counted. */
    private static final int MOST = 64;

    private final Set<ServerIdentity> seen = new LinkedHashSet<>(); // in order of their appearance; guarded by this
    private Optional<ServerIdentity> present = Optional.empty(); // guarded by this
    private long changes; // guarded by this

    /**
     * A server has answered.
     *
     * @return whether it takes the place of another one
     */
    synchronized boolean answered(ServerIdentity server) {
        boolean isNew = seen.add(server);
        if (seen.size() > MOST) {
            seen.remove(seen.iterator().next());
        }
        boolean isAnother = isNew && present.isPresent();
        if (isAnother) {
            changes++;
        }
        if (isNew) {
            present = Optional.of(server);
        }
        return isAnother;
    }

    /** The number of the change with which this server appeared; empty unless it appeared last. */
    synchronized OptionalLong changeTo(ServerIdentity server) {
        return present.filter(server::equals).isPresent() ? OptionalLong.of(changes) : OptionalLong.empty();
    }

    /** How often a server has taken the place of another one. */
    synchronized long changes() {
        return changes;
    }
}
