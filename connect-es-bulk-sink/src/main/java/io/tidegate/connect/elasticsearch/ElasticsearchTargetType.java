package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.frame.FramingSettings;
import io.tidegate.connect.common.settings.Aliases;
import io.tidegate.connect.common.settings.HeaderTexts;
import io.tidegate.connect.common.settings.KnownTopics;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.settings.TaskSettings;
import io.tidegate.connect.common.settings.ValidationSettings;
import io.tidegate.connect.common.spi.RecordIdentity;
import io.tidegate.connect.common.spi.ServerCheck;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.TargetType;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.task.Version;
import io.tidegate.connect.common.tls.TlsSettings;
import io.tidegate.connect.elasticsearch.check.ElasticsearchCheck;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.settings.AccessSettings;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.ElasticsearchErrorCodes;
import io.tidegate.connect.elasticsearch.settings.FailurePolicies;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import io.tidegate.connect.elasticsearch.settings.OtherSinks;
import io.tidegate.connect.elasticsearch.settings.VectorSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** Elasticsearch as a kind of target: its settings, and the checks that they fit together. */
public final class ElasticsearchTargetType implements TargetType {
    /** The size beyond which the server gets hardly any faster: see the measurements in the project's documents. */
    static final LaneSettings.Defaults DEFAULTS = new LaneSettings.Defaults(2_000, 5L << 20, 5);

    @Override
    public String version() {
        return Version.of(ElasticsearchBulkSinkConnector.class);
    }

    @Override
    public ConfigDef config() {
        ConfigDef def = new ConfigDef();
        ConnectionSettings.define(def);
        AccessSettings.define(def);
        TlsSettings.define(def);
        IndexSettings.define(def);
        DocumentSettings.define(def);
        VectorSettings.define(def);
        EnvelopeSettings.define(def);
        FailurePolicies.define(def);
        ElasticsearchErrorCodes.define(def);
        LaneSettings.define(def, DEFAULTS);
        RetrySettings.define(def);
        RedriveSettings.define(def);
        ValidationSettings.define(def);
        return TaskSettings.define(def);
    }

    @Override
    public Aliases aliases() {
        return OtherSinks.aliases();
    }

    @Override
    public List<String> warnings(Map<String, String> props) {
        AbstractConfig config = new AbstractConfig(config(), aliases().resolve(props), false);
        List<String> warnings = new ArrayList<>();
        if (ConnectionSettings.problems(config).isEmpty()) {
            warnings.addAll(ConnectionSettings.from(config).warnings());
        }
        EnvelopeSettings envelope = EnvelopeSettings.from(config);
        warnings.addAll(envelope.warnings(props));
        DocumentSettings.from(config).warning(envelope).ifPresent(warnings::add);
        if (IndexSettings.problem(config).isEmpty()) {
            IndexSettings index = IndexSettings.from(config);
            DocumentSettings documents = DocumentSettings.from(config);
            warnings.addAll(index.warnings(documents, props));
            envelope.warningOfOlderRows(documents.readersOfOlderRows(index.names()))
                    .ifPresent(warnings::add);
        }
        HeaderTexts.warning(props, DocumentSettings.METADATA_FIELDS).ifPresent(warnings::add);
        return warnings;
    }

    @Override
    public List<Problem> validate(Map<String, String> props) {
        AbstractConfig config = new AbstractConfig(config(), props, false);
        List<Problem> problems = new ArrayList<>(ConnectionSettings.problems(config));
        EnvelopeSettings envelope = EnvelopeSettings.from(config);
        problems.addAll(
                DocumentSettings.from(config).problems(LaneSettings.from(config).ordering(), envelope));
        envelope.problem(props).ifPresent(problems::add);
        FormatSettings format = FormatSettings.from(config);
        problems.addAll(format.problems(props));
        FramingSettings.from(config).problem(format).ifPresent(problems::add);
        RetrySettings.from(config).problem().ifPresent(problems::add);
        RedriveSettings.from(config).problem(props).ifPresent(problems::add);
        Optional<Problem> ofNames = IndexSettings.problem(config);
        if (ofNames.isPresent()) {
            problems.add(ofNames.get());
            return problems;
        }
        problems.addAll(IndexSettings.from(config).problems(DocumentSettings.from(config), envelope, props));
        if (problems.isEmpty()) {
            problems.addAll(ConnectionSettings.from(config)
                    .problems(IndexSettings.from(config), DocumentSettings.from(config)));
        }
        problems.addAll(TlsSettings.problems(config));
        IndexSettings index = IndexSettings.from(config);
        problems.addAll(Problem.of(
                Problem.ofReading(
                        IndexSettings.INDEX_DEFINITION_FILE, () -> ElasticsearchTarget.definitionOf(index), ""),
                Problem.ofReading(IndexSettings.INDEX_TEMPLATE_FILE, () -> ElasticsearchTarget.templateOf(index), "")));
        return problems;
    }

    @Override
    public Optional<ServerCheck> serverCheck(Map<String, String> props) {
        AbstractConfig config = new AbstractConfig(config(), props, false);
        return Optional.of(new ElasticsearchCheck(
                ConnectionSettings.from(config),
                IndexSettings.from(config),
                DocumentSettings.from(config),
                KnownTopics.of(props)));
    }

    @Override
    public boolean isAccessRefused(WriteException failure) {
        return failure.getCause() instanceof RequestFailure request
                && request.kind().isAccess();
    }

    @Override
    public RecordIdentity identity(Map<String, String> props) {
        AbstractConfig config = new AbstractConfig(config(), props, false);
        return switch (DocumentSettings.from(config).id().kind()) {
            case NONE -> RecordIdentity.NONE;
            case COORDINATES -> RecordIdentity.COORDINATES;
            case KEY -> IndexSettings.from(config).names().areOfTopicOnly() ? RecordIdentity.KEY : RecordIdentity.OTHER;
            case TEMPLATE -> RecordIdentity.OTHER;
        };
    }

    @Override
    public Target open(Map<String, String> props) {
        Problem.refuse(validate(props));
        return new ElasticsearchTarget(new AbstractConfig(config(), props, false));
    }
}
