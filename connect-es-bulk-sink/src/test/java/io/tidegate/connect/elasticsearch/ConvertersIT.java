package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.scenarios.AvroScenarios;
import io.tidegate.connect.testkit.scenarios.Store;
import java.nio.file.Path;

/** The Elasticsearch sink behind a schema registry. */
final class ConvertersIT extends AvroScenarios {
    private final ElasticsearchNode node =
            ElasticsearchNode.builder().fastStart().build();
    private final ElasticsearchStore store = new ElasticsearchStore(node);

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected void startStore() {
        node.start();
    }

    @Override
    protected void closeStore() {
        node.close();
    }

    @Override
    protected Path sinkPluginPath() {
        return Path.of("target", "plugin");
    }
}
