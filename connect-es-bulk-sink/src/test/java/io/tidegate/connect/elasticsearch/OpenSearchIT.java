package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.testkit.elasticsearch.OpenSearchNode;
import io.tidegate.connect.testkit.elasticsearch.OpenSearchRelease;
import org.junit.jupiter.api.Nested;

/** OpenSearch over plain HTTP: the release that -Dtestkit.opensearch names. */
final class OpenSearchIT extends ServerSmoke {
    private final OpenSearchNode node = OpenSearchNode.builder().fastStart().build();
    private final ElasticsearchStore store = new ElasticsearchStore(node);

    @Override
    protected ElasticsearchStore store() {
        return store;
    }

    @Override
    protected String product() {
        return "opensearch";
    }

    @Override
    protected void startStore() {
        skipIf(OpenSearchRelease.ofTests().obstacle());
        node.start();
    }

    @Nested
    final class Serverless extends ServerlessCollection {
        @Override
        OpenSearchNode node() {
            return node;
        }
    }
}
