package io.tidegate.servers.elasticsearch;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.email.UAX29URLEmailTokenizer;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.pattern.PatternCaptureGroupTokenFilter;
import org.elasticsearch.cluster.service.ClusterService;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.PreConfiguredTokenFilter;
import org.elasticsearch.index.analysis.PreConfiguredTokenizer;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.indices.analysis.AnalysisModule;
import org.elasticsearch.ingest.AbstractProcessor;
import org.elasticsearch.ingest.ConfigurationUtils;
import org.elasticsearch.ingest.IngestDocument;
import org.elasticsearch.ingest.Processor;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.RestHandler;

/**
 * Replacements for the parts of the product's modules that are not on Maven Central:
 *
 * <ul>
 *   <li>rest-root: {@code GET /} and {@code HEAD /};
 *   <li>ingest-common: the processors {@code set} (with a constant value, no template) and {@code fail} (with a
 *       constant message). {@code pipeline} and {@code drop} come from the server jar;
 *   <li>analysis-common: the filters {@code pattern_capture} and {@code unique} (with Lucene's
 *       duplicates-at-one-position filter) and the tokenizer {@code uax_url_email}, which the security plugin's index
 *       needs.
 * </ul>
 *
 * Everything else is the product's. List every new replacement here. {@code StandIns} adapts them to a version.
 */
abstract class CommonStandIns extends Plugin implements AnalysisPlugin {
    private volatile ClusterService clusterService;

    @Override
    public Collection<?> createComponents(PluginServices services) {
        clusterService = services.clusterService();
        return List.of();
    }

    final List<RestHandler> restHandlers() {
        return List.of(new RootEndpoint(clusterService));
    }

    static Processor set(String tag, String description, Map<String, Object> config) {
        String field = ConfigurationUtils.readStringProperty("set", tag, config, "field");
        Object value = ConfigurationUtils.readObject("set", tag, config, "value");
        return processor("set", tag, description, document -> document.setFieldValue(field, value));
    }

    static Processor fail(String tag, String description, Map<String, Object> config) {
        String message = ConfigurationUtils.readStringProperty("fail", tag, config, "message");
        return processor("fail", tag, description, document -> {
            throw new IllegalArgumentException(message);
        });
    }

    private static Processor processor(String type, String tag, String description, Consumer<IngestDocument> body) {
        return new AbstractProcessor(tag, description) {
            @Override
            public String getType() {
                return type;
            }

            @Override
            public IngestDocument execute(IngestDocument document) {
                body.accept(document);
                return document;
            }
        };
    }

    @Override
    public Map<String, AnalysisModule.AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
        return Map.of(
                "pattern_capture",
                AnalysisPlugin.requiresAnalysisSettings(
                        (index, environment, name, settings) -> patternCapture(name, settings)));
    }

    private static TokenFilterFactory patternCapture(String name, Settings settings) {
        Pattern[] patterns =
                settings.getAsList("patterns").stream().map(Pattern::compile).toArray(Pattern[]::new);
        boolean preserveOriginal = settings.getAsBoolean("preserve_original", true);
        return new TokenFilterFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public TokenStream create(TokenStream tokens) {
                return new PatternCaptureGroupTokenFilter(tokens, preserveOriginal, patterns);
            }
        };
    }

    @Override
    public List<PreConfiguredTokenFilter> getPreConfiguredTokenFilters() {
        return List.of(PreConfiguredTokenFilter.singleton("unique", false, RemoveDuplicatesTokenFilter::new));
    }

    @Override
    public List<PreConfiguredTokenizer> getPreConfiguredTokenizers() {
        return List.of(PreConfiguredTokenizer.singleton("uax_url_email", UAX29URLEmailTokenizer::new));
    }
}
