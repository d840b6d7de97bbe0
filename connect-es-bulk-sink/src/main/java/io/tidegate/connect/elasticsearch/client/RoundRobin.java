package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.http.HttpHost;
import org.elasticsearch.client.Node;
import org.elasticsearch.client.NodeSelector;

/**
 * Leaves the REST client one node for each request, each in its turn. With one node it cannot retry a request on the next
 * node: only the delivery retries. The client leaves out a node that failed, the longer the more requests have failed one
 * after the other, for up to half an hour. Those that were under way together say no more than one. So the node comes back
 * after a minute, and then gets one request until that is answered. Any thread.
 */
final class RoundRobin implements NodeSelector {
    private static final Duration LONGEST_ABSENCE = Duration.ofMinutes(1);

    /** The client's times grow with the requests that were tried one by one. */
    private static final Duration LONGEST_AFTER_TRIAL = Duration.ofMinutes(10);

    /** The first request of a node that comes back may be cancelled, which says nothing. Then another one is the first. */
    private static final Duration LONGEST_TRIAL = Duration.ofSeconds(30);

    private final Predicate<String> isReachable;
    private final LongSupplier nanoTime;
    private final Map<HttpHost, Seen> seen = new HashMap<>(); // guarded by this
    private Set<HttpHost> offered = Set.of(); // with the last request; guarded by this
    private int turn; // guarded by this
    private Runnable forgetFailures = () -> {}; // guarded by this

    /** What is known of a node. */
    private static final class Seen {
        private long offeredAt;
        private boolean isOnTrial;
        private boolean hasFailedOnTrial;
        private Optional<Long> triedAt = Optional.empty();

        void leave() {
            hasFailedOnTrial |= isOnTrial && triedAt.isPresent();
        }

        void answer() {
            isOnTrial = false;
            hasFailedOnTrial = false;
        }

        boolean isAbsentForLong(long now) {
            Duration longest = hasFailedOnTrial ? LONGEST_AFTER_TRIAL : LONGEST_ABSENCE;
            return now - offeredAt >= longest.toNanos();
        }

        boolean isBeingTried(long now) {
            return isOnTrial
                    && triedAt.filter(tried -> now - tried < LONGEST_TRIAL.toNanos())
                            .isPresent();
        }
    }

    /**
     * Starts with the first node.
     *
     * @param isReachable of a host's name; where none is, each is tried
     */
    RoundRobin(Predicate<String> isReachable, LongSupplier nanoTime) {
        this.isReachable = requireNonNull(isReachable, "isReachable");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime");
    }

    /** How the client forgets which nodes have failed. */
    synchronized void forgetFailuresBy(Runnable forget) {
        this.forgetFailures = requireNonNull(forget, "forget");
    }

    /** A node has answered. */
    synchronized void answered(HttpHost host) {
        Optional.ofNullable(seen.get(host)).ifPresent(Seen::answer);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // one of these objects stays
    public synchronized void select(Iterable<Node> nodes) {
        long now = nanoTime.getAsLong();
        List<Node> all = new ArrayList<>();
        nodes.forEach(all::add);
        all.forEach(node -> offer(node.getHost(), now));
        Set<HttpHost> present = new HashSet<>();
        all.forEach(node -> present.add(node.getHost()));
        offered.stream().filter(host -> !present.contains(host)).forEach(host -> requireNonNull(seen.get(host))
                .leave());
        offered = present;
        Node chosen = choose(all, now);
        for (Iterator<Node> each = nodes.iterator(); each.hasNext(); ) {
            if (each.next() != chosen) {
                each.remove();
            }
        }
        returnAbsent(now);
    }

    private void offer(HttpHost host, long now) {
        Seen known = seen.get(host);
        if (known == null) {
            known = new Seen();
            seen.put(host, known);
        } else if (!offered.contains(host)) {
            known.isOnTrial = true;
            known.triedAt = Optional.empty();
        }
        known.offeredAt = now;
    }

    private Node choose(List<Node> all, long now) {
        List<Node> reachable = orAll(
                all.stream()
                        .filter(node -> isReachable.test(node.getHost().getHostName()))
                        .toList(),
                all);
        List<Node> usable = orAll(
                reachable.stream()
                        .filter(node -> !seenOf(node).isBeingTried(now))
                        .toList(),
                reachable);
        Node chosen = usable.get(Math.floorMod(turn++, usable.size()));
        seenOf(chosen).triedAt = Optional.of(now);
        return chosen;
    }

    private static List<Node> orAll(List<Node> some, List<Node> all) {
        return some.isEmpty() ? all : some;
    }

    private Seen seenOf(Node node) {
        return requireNonNull(seen.get(node.getHost()));
    }

    /** The client then offers all nodes with the next request. */
    private void returnAbsent(long now) {
        List<Seen> absent = seen.entrySet().stream()
                .filter(node ->
                        !offered.contains(node.getKey()) && node.getValue().isAbsentForLong(now))
                .map(Map.Entry::getValue)
                .toList();
        if (!absent.isEmpty()) {
            absent.forEach(node -> node.offeredAt = now); // until it is offered
            forgetFailures.run();
        }
    }
}
