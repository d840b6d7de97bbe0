package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.elasticsearch.client.Node;
import org.elasticsearch.client.NodeSelector;

/**
 * Leaves the REST client one node for each request, each in its turn. With one node it cannot retry a request on the next
 * node: only the delivery retries.
 */
final class RoundRobin implements NodeSelector {
    private final Predicate<String> isReachable;
    private final AtomicInteger turn = new AtomicInteger();

    /**
     * Starts with the first node.
     *
     * @param isReachable of a host's name; where none is, each is tried
     */
    RoundRobin(Predicate<String> isReachable) {
        this.isReachable = requireNonNull(isReachable, "isReachable");
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // one of these objects stays
    public void select(Iterable<Node> nodes) {
        List<Node> all = new ArrayList<>();
        nodes.forEach(all::add);
        List<Node> reachable = all.stream()
                .filter(node -> isReachable.test(node.getHost().getHostName()))
                .toList();
        List<Node> usable = reachable.isEmpty() ? all : reachable;
        Node chosen = usable.get(Math.floorMod(turn.getAndIncrement(), usable.size()));
        for (Iterator<Node> each = nodes.iterator(); each.hasNext(); ) {
            if (each.next() != chosen) {
                each.remove();
            }
        }
    }
}
