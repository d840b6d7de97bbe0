package io.tidegate.connect.elasticsearch;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.document.TemplateDestinations;
import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.envelope.KeyForm;
import io.tidegate.connect.common.frame.Unframing;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.pool.SharedResource;
import io.tidegate.connect.common.redrive.Redrive;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.Traced;
import io.tidegate.connect.common.spi.TrialWriter;
import io.tidegate.connect.common.spi.UnaskedTrial;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.client.ElasticsearchClient;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.RestElasticsearchClient;
import io.tidegate.connect.elasticsearch.client.simulation.SimulatingClient;
import io.tidegate.connect.elasticsearch.settings.AccessSettings;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.FailureClass;
import io.tidegate.connect.elasticsearch.settings.FailurePolicies;
import io.tidegate.connect.elasticsearch.settings.IndexName;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import io.tidegate.connect.elasticsearch.settings.Policy;
import io.tidegate.connect.elasticsearch.settings.VersionSource;
import io.tidegate.connect.elasticsearch.write.AdaptiveLimiter;
import io.tidegate.connect.elasticsearch.write.BulkParameters;
import io.tidegate.connect.elasticsearch.write.ElasticsearchBulkWriter;
import io.tidegate.connect.elasticsearch.write.ElasticsearchMetrics;
import io.tidegate.connect.elasticsearch.write.ElasticsearchTrial;
import io.tidegate.connect.elasticsearch.write.FailureCounts;
import io.tidegate.connect.elasticsearch.write.IndexCreator;
import io.tidegate.connect.elasticsearch.write.IndexDefinition;
import io.tidegate.connect.elasticsearch.write.IndexTemplate;
import io.tidegate.connect.elasticsearch.write.Prerequisites;
import io.tidegate.connect.elasticsearch.write.UnauthorizedGrace;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;

/** The cluster that a task writes to, through an HTTP client that it shares with other tasks. */
public final class ElasticsearchTarget implements Target {
    /** The worker's clients: one for each cluster, user and way of connecting. */
    public static final SharedResource<ConnectionSettings, ElasticsearchClient> CLIENTS =
            new SharedResource<>("Elasticsearch client");

    /** A request is too large if it takes more than this fraction of its time limit. */
    private static final int SLOW_PART_OF_TIMEOUT = 4;

    private final ConnectionSettings connection;
    private final IndexSettings index;
    private final DocumentSettings documents;
    private final FailurePolicies policies;
    private final ErrorOverrides overrides;
    private final FailureCounts counts = new FailureCounts();
    private final AdaptiveLimiter limiter;
    private final UnauthorizedGrace unauthorizedGrace;
    private final Prerequisites prerequisites;
    private final DocumentMapper mapper;
    private final SharedResource.Lease<ElasticsearchClient> client;

    ElasticsearchTarget(
            ConnectionSettings connection,
            IndexSettings index,
            DocumentSettings documents,
            Unframing unframing,
            EnvelopeSettings envelope,
            FailurePolicies policies,
            ErrorOverrides overrides,
            AccessSettings access,
            RedriveSettings redrive,
            LaneSettings lanes) {
        this.connection = requireNonNull(connection, "connection");
        this.index = requireNonNull(index, "index");
        this.documents = redrive.isOn() ? documents.forRedrive() : requireNonNull(documents, "documents");
        this.policies = requireNonNull(policies, "policies");
        this.overrides = requireNonNull(overrides, "overrides");
        this.limiter = new AdaptiveLimiter(
                Clock.SYSTEM,
                lanes.lanes(),
                lanes.batchRows(),
                connection.readTimeout().dividedBy(SLOW_PART_OF_TIMEOUT));
        this.unauthorizedGrace =
                new UnauthorizedGrace(Clock.SYSTEM, access, connection.urls().size());
        this.prerequisites = new Prerequisites(
                limiter,
                !connection.product().isServerless(),
                templateOf(index),
                new IndexCreator(definitionOf(index), Clock.SYSTEM));
        RecordFields fields = new RecordFields(fieldsOfNamesAndIds(), documents.defaults(), documents.eventTime());
        this.mapper = new DocumentMapper(
                        new TemplateDestinations(
                                index.names(),
                                fields,
                                parts -> IndexName.of(parts.get(0)),
                                "see " + IndexSettings.INDEX_NAME + " and " + IndexSettings.TOPIC_INDEX_MAP),
                        DocumentIds.from(documents.id(), fields),
                        documents.nullValues(),
                        documents.defaults(),
                        unframing,
                        UnaryOperator.identity())
                .within(envelope.open(
                        KeyForm.TEXT,
                        documents.version().kind() == VersionSource.Kind.POSITION,
                        documents.deletesByKeyAlone(),
                        documents.defaults()))
                .redriving(Redrive.of(redrive, documents.version().isExternal()));
        this.client = CLIENTS.lease(connection, RestElasticsearchClient::open);
    }

    static Optional<IndexDefinition> definitionOf(IndexSettings index) {
        return index.definitionFile().map(file -> IndexDefinition.read(IndexSettings.INDEX_DEFINITION_FILE, file));
    }

    static Optional<IndexTemplate> templateOf(IndexSettings index) {
        return index.templateFile()
                .map(file -> IndexDefinition.read(IndexSettings.INDEX_TEMPLATE_FILE, file))
                .map(definition -> new IndexTemplate(index.templateName(), definition));
    }

    @Override
    public DocumentMapper mapper() {
        return mapper;
    }

    private Set<JsonPath> fieldsOfNamesAndIds() {
        Set<JsonPath> paths = new HashSet<>(index.names().fields());
        paths.addAll(documents.eventTime().fields());
        documents.id().template().ifPresent(template -> paths.addAll(template.fields()));
        return paths;
    }

    @Override
    public boolean lastWriteWins() {
        return documents.lastWriteWins();
    }

    @Override
    public BatchWriter openWriter(int lane) {
        return openWriter(client.get(), connection.compression());
    }

    @Override
    public TrialWriter openTrial(boolean isServerAsked) {
        BulkBody body = new BulkBody(documents, index.type(), index.pipelineOfRecord(), false);
        if (!isServerAsked) {
            return new UnaskedTrial(document -> ElasticsearchTrial.describe(body, document));
        }
        SimulatingClient simulating = new SimulatingClient(client.get(), connection.readTimeout());
        return new ElasticsearchTrial(openWriter(simulating, false), simulating, body, policies, counts);
    }

    private BatchWriter openWriter(ElasticsearchClient used, boolean compression) {
        return new ElasticsearchBulkWriter(
                new ElasticsearchSession(used, connection),
                prerequisites,
                new BulkBody(documents, index.type(), index.pipelineOfRecord(), compression),
                documents,
                new BulkParameters(index, documents, connection),
                policies,
                overrides,
                counts,
                limiter,
                unauthorizedGrace,
                Clock.SYSTEM);
    }

    /** A record with an id that Elasticsearch does not allow has its own policy. */
    @Override
    public boolean skips(SinkRecord record, RefusedException reason) {
        Policy policy = policies.of(FailureClass.ID);
        if (!DocumentIds.areAtFault(reason)) {
            return false;
        }
        String where = record.originalTopic() + "-" + record.originalKafkaPartition() + " at offset "
                + record.originalKafkaOffset();
        if (policy == Policy.FAIL) {
            throw new ConnectException("The record of " + where + " cannot be written: " + reason.getMessage() + " ("
                    + FailureClass.ID.setting() + "=fail)");
        }
        counts.count(FailureClass.ID);
        if (policy == Policy.WARN) {
            counts.warn(FailureClass.ID, where, reason.getMessage());
        }
        return policy != Policy.DLQ;
    }

    @Override
    public List<Metric> metrics() {
        return ElasticsearchMetrics.of(
                Clock.SYSTEM,
                limiter,
                counts,
                () -> client.get().connections(),
                client.get().certificates());
    }

    @Override
    public Traced traced() {
        return new Traced("elasticsearch", "bulk");
    }

    @Override
    public String description() {
        return "Elasticsearch at " + connection.nodes();
    }

    @Override
    public void close() {
        client.close();
    }
}
