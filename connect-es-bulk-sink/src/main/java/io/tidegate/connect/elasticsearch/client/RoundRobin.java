package io.tidegate.connect.elasticsearch.client;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicInteger;
import org.elasticsearch.client.Node;
import org.elasticsearch.client.NodeSelector;

/**
 * Leaves the REST client one node for each request, each in its turn. With one node it cannot retry a request on the next
 * node: only the delivery retries.
 */
final class RoundRobin implements NodeSelector {
    private final AtomicInteger turn = new AtomicInteger();

    @Override
    public void select(Iterable<Node> nodes) {
        int count = 0;
        for (Node ignored : nodes) {
            count++;
        }
        if (count < 2) {
            return;
        }
        int chosen = Math.floorMod(turn.getAndIncrement(), count);
        int position = 0;
        for (Iterator<Node> each = nodes.iterator(); each.hasNext(); position++) {
            each.next();
            if (position != chosen) {
                each.remove();
            }
        }
    }
}
