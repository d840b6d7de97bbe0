package io.tidegate.servers.elasticsearch;

import java.util.Collection;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.ingest.DropProcessor;
import org.elasticsearch.ingest.PipelineProcessor;
import org.elasticsearch.ingest.Processor;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.IngestPlugin;
import org.elasticsearch.rest.RestHandler;

/** {@code CommonStandIns} as a plugin for Elasticsearch 9. */
public final class StandIns extends CommonStandIns implements ActionPlugin, IngestPlugin {
    @Override
    public Collection<RestHandler> getRestHandlers(
            RestHandlersServices services, Supplier<DiscoveryNodes> nodes, Predicate<NodeFeature> features) {
        return restHandlers();
    }

    @Override
    public Map<String, Processor.Factory> getProcessors(Processor.Parameters parameters) {
        return Map.of(
                "pipeline",
                new PipelineProcessor.Factory(parameters.ingestService),
                "drop",
                new DropProcessor.Factory(),
                "set",
                (factories, tag, description, config, project) -> set(tag, description, config),
                "fail",
                (factories, tag, description, config, project) -> fail(tag, description, config));
    }
}
