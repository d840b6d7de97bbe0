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
    private long appearances; // guarded by this

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
        if (isNew) {
            appearances++;
            present = Optional.of(server);
        }
        return isNew && appearances > 1;
    }

    /** How many servers had appeared when this one did, with itself; empty unless it appeared last. */
    synchronized OptionalLong appearanceOf(ServerIdentity server) {
        return present.filter(server::equals).isPresent() ? OptionalLong.of(appearances) : OptionalLong.empty();
    }

    /** How many servers have appeared. */
    synchronized long appearances() {
        return appearances;
    }

    /** How often a server has taken the place of another one. */
    synchronized long changes() {
        return Math.max(0, appearances - 1);
    }
}
