package io.tidegate.connect.bench.store;

import io.tidegate.connect.lab.store.SearchStore;
import io.tidegate.connect.testkit.elasticsearch.OpenSearchNode;
import io.tidegate.connect.testkit.elasticsearch.OpenSearchRelease;
import java.util.Map;

/** A node of OpenSearch 3 with plain HTTP. */
public final class OpenSearchStore extends SearchStore {
    private final OpenSearchNode node;

    /** Creates the node without starting it. */
    public OpenSearchStore(String index) {
        this(
                index,
                OpenSearchNode.builder()
                        .release(OpenSearchRelease.V3)
                        .heap("1g")
                        .build());
    }

    private OpenSearchStore(String index, OpenSearchNode node) {
        super("OpenSearch", index, node);
        this.node = node;
    }

    public OpenSearchNode node() {
        return node;
    }

    @Override
    public Map<String, String> environment() {
        return Map.of("TIDEGATE_OPENSEARCH_URL", node.url().toString());
    }
}
