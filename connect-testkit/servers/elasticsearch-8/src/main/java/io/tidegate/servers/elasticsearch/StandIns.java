package io.tidegate.servers.elasticsearch;

import java.util.Collection;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.elasticsearch.cluster.metadata.IndexNameExpressionResolver;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.common.io.stream.NamedWriteableRegistry;
import org.elasticsearch.common.settings.ClusterSettings;
import org.elasticsearch.common.settings.IndexScopedSettings;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.common.settings.SettingsFilter;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.ingest.DropProcessor;
import org.elasticsearch.ingest.PipelineProcessor;
import org.elasticsearch.ingest.Processor;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.IngestPlugin;
import org.elasticsearch.rest.RestController;
import org.elasticsearch.rest.RestHandler;

/** {@link CommonStandIns} as a plugin for Elasticsearch 8. */
public final class StandIns extends CommonStandIns implements ActionPlugin, IngestPlugin {
    @Override
    public Collection<RestHandler> getRestHandlers(
            Settings settings,
            NamedWriteableRegistry writeables,
            RestController controller,
            ClusterSettings clusterSettings,
            IndexScopedSettings indexSettings,
            SettingsFilter settingsFilter,
            IndexNameExpressionResolver indexNames,
            Supplier<DiscoveryNodes> nodes,
            Predicate<NodeFeature> features) {
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
                (factories, tag, description, config) -> set(tag, description, config),
                "fail",
                (factories, tag, description, config) -> fail(tag, description, config));
    }
}
