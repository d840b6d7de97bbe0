package io.tidegate.connect.common.lane;

import io.tidegate.connect.common.offset.Progress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The task thread's requests to a lane whose server keeps offsets: to claim partitions, to raise
 * next offsets, and to verify them.
 */
final class OffsetRequests {
    private final Set<Progress> claims = new LinkedHashSet<>(); // all fields are guarded by the lane's lock
    private final Map<Progress, Long> stores = new HashMap<>();
    private boolean verification;
    private boolean inFlight;

    void claim(Collection<Progress> partitions) {
        claims.addAll(partitions);
    }

    void store(Progress partition, long nextOffset) {
        stores.merge(partition, nextOffset, Math::max);
    }

    void verify() {
        verification = true;
    }

    boolean areWaiting() {
        return verification || !claims.isEmpty() || !stores.isEmpty();
    }

    /** Whether a commit has to wait for some of them. None waits for a verification. */
    boolean arePending() {
        return inFlight || !claims.isEmpty() || !stores.isEmpty();
    }

    /** Whether a verification is requested. Never in flight. */
    boolean takeVerification() {
        boolean taken = verification;
        verification = false;
        return taken;
    }

    /** The partitions to claim; in flight until {@link #finish}. */
    List<Progress> takeClaims() {
        List<Progress> taken = new ArrayList<>(claims);
        claims.clear();
        inFlight = true;
        return taken;
    }

    Map<Progress, Long> takeStores() {
        Map<Progress, Long> taken = new HashMap<>(stores);
        stores.clear();
        inFlight = true;
        return taken;
    }

    void finish() {
        inFlight = false;
    }
}
