package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchRelease;
import org.junit.jupiter.api.Nested;

/** Elasticsearch 9 over HTTPS, and vectors as Base64, where this machine has a Java that runs it; all tests run on it with -Dtestkit.elasticsearch=9. */
final class Elasticsearch9IT extends ServerSmoke {
    private final ElasticsearchNode node = ElasticsearchNode.builder()
            .release(ElasticsearchRelease.V9)
            .fastStart()
            .build();
    private final ElasticsearchStore store = new ElasticsearchStore(node);

    @Override
    protected ElasticsearchStore store() {
        return store;
    }

    @Override
    protected String product() {
        return "elasticsearch";
    }

    @Override
    protected void startStore() {
        skipIf(ElasticsearchRelease.V9.obstacle());
        node.start();
    }

    @Nested
    final class Vectors extends VectorFields {
        @Override
        ElasticsearchNode node() {
            return node;
        }
    }
}
