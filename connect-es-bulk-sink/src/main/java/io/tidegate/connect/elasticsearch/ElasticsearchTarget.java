package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.document.RowPlace;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.document.TemplateDestinations;
import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.format.ValueDecoder;
import io.tidegate.connect.common.frame.FramingSettings;
import io.tidegate.connect.common.frame.Unframing;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.pool.SharedResource;
import io.tidegate.connect.common.redrive.Redrive;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.TrialWriter;
import io.tidegate.connect.common.spi.UnaskedTrial;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.client.ElasticsearchClient;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures.Asked;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.settings.AccessSettings;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.ElasticsearchErrorCodes;
import io.tidegate.connect.elasticsearch.settings.FailurePolicies;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import io.tidegate.connect.elasticsearch.settings.VectorSettings;
import io.tidegate.connect.elasticsearch.settings.VersionSource;
import io.tidegate.connect.elasticsearch.trial.ElasticsearchTrial;
import io.tidegate.connect.elasticsearch.write.AccessGrace;
import io.tidegate.connect.elasticsearch.write.BulkParameters;
import io.tidegate.connect.elasticsearch.write.BulkSender;
import io.tidegate.connect.elasticsearch.write.ElasticsearchBulkWriter;
import io.tidegate.connect.elasticsearch.write.ElasticsearchMetrics;
import io.tidegate.connect.elasticsearch.write.FailureCounts;
import io.tidegate.connect.elasticsearch.write.IndexCreator;
import io.tidegate.connect.elasticsearch.write.IndexDefinition;
import io.tidegate.connect.elasticsearch.write.Sender;
import io.tidegate.connect.elasticsearch.write.VectorMappings;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;

/** The cluster that a task writes to, through an HTTP client that it shares with other tasks. */
public final class ElasticsearchTarget implements Target {
    /** The worker's clients: one for each cluster, user and way of connecting. */
    public static final SharedResource<ConnectionSettings, ElasticsearchClient> CLIENTS =
            new SharedResource<>("Elasticsearch client");

    private final ConnectionSettings connection;
    private final IndexSettings index;
    private final DocumentSettings documents;
    private final FailurePolicies policies;
    private final ErrorOverrides overrides;
    private final FailureCounts counts = new FailureCounts();
    private final AccessSettings access;
    private final AtomicBoolean everWritten = new AtomicBoolean();
    private final IndexCreator indexes;
    private final VectorMappings vectors;
    private final Optional<ValueDecoder> decoder;
    private final DocumentMapper mapper;
    private final SharedResource.Lease<ElasticsearchClient> client;
    private final String connector;

    /** Opens the target that checked settings describe. */
    ElasticsearchTarget(AbstractConfig config) {
        RedriveSettings redrive = RedriveSettings.from(config);
        DocumentSettings written = DocumentSettings.from(config);
        this.connection = ConnectionSettings.from(config);
        this.index = IndexSettings.from(config);
        this.documents = redrive.isOn() ? written.forRedrive() : written;
        this.policies = FailurePolicies.from(config, index);
        this.overrides = ElasticsearchErrorCodes.from(config);
        this.access = AccessSettings.from(config);
        this.indexes = new IndexCreator(templateOf(index), index.templateName(), definitionOf(index), Clock.SYSTEM);
        this.vectors = new VectorMappings(VectorSettings.from(config), Clock.SYSTEM);
        EnvelopeSettings envelope = EnvelopeSettings.from(config);
        RecordFields fields = new RecordFields(fieldsOf(envelope), written.eventTime());
        TemplateDestinations destinations = index.destinations(fields);
        this.decoder = FormatSettings.from(config).decoder();
        this.mapper = new DocumentMapper(
                        destinations,
                        DocumentIds.from(written.id(), fields),
                        written.nullValues(),
                        new Unframing(FramingSettings.from(config), decoder),
                        UnaryOperator.identity())
                .within(envelope.open(
                        isKeyRead() ? EnvelopeSettings.KeyForm.TEXT : EnvelopeSettings.KeyForm.UNREAD,
                        written.version().kind() == VersionSource.Kind.POSITION,
                        tombstone -> written.deletesBy(tombstone) && index.isNamedBy(tombstone, written),
                        redrive.isOn() ? List.of() : places(destinations, fields)))
                .redriving(Redrive.of(redrive, written.version().isExternal()));
        this.connector = String.valueOf(config.originals().getOrDefault("name", ""));
        this.client = CLIENTS.lease(connection, ElasticsearchClient::open);
    }

    static Optional<IndexDefinition> definitionOf(IndexSettings index) {
        return index.definitionFile()
                .map(file -> IndexDefinition.read(Asked.INDEX, IndexSettings.INDEX_DEFINITION_FILE, file));
    }

    static Optional<IndexDefinition> templateOf(IndexSettings index) {
        return index.templateFile()
                .map(file -> IndexDefinition.read(Asked.TEMPLATE, IndexSettings.INDEX_TEMPLATE_FILE, file));
    }

    @Override
    public DocumentMapper mapper() {
        return mapper;
    }

    private boolean isKeyRead() {
        return documents.readsKey()
                || Stream.concat(index.names().all(), index.pipeline().stream()).anyMatch(Template::isOfKey);
    }

    private Set<JsonPath> fieldsOfNames() {
        Set<JsonPath> paths = new HashSet<>(index.names().fields());
        paths.addAll(documents.eventTime().fields());
        return paths;
    }

    private Set<JsonPath> fieldsOf(EnvelopeSettings envelope) {
        Set<JsonPath> paths = fieldsOfNames();
        documents.id().template().ifPresent(template -> paths.addAll(template.fields()));
        documents
                .routing()
                .filter(template -> !envelope.isNone())
                .ifPresent(template -> paths.addAll(template.fields()));
        return paths;
    }

    /** Where an update would leave an older document; unknown for dead letters, whose older documents somebody has seen to. */
    private List<RowPlace> places(TemplateDestinations destinations, RecordFields fields) {
        return documents.placesOfRows(index.names()).stream()
                .map(setting -> new RowPlace(
                        setting,
                        switch (setting) {
                            case IndexSettings.INDEX_NAME -> destinations::destinationOf;
                            case DocumentSettings.ROUTING ->
                                record -> documents.routing().orElseThrow().fill(record, fields);
                            default ->
                                record ->
                                        documents.id().template().orElseThrow().fill(record, fields);
                        }))
                .toList();
    }

    @Override
    public boolean lastWriteWins() {
        return documents.lastWriteWins() && !mayGoElsewhere();
    }

    @Override
    public boolean separatesKeys() {
        boolean mayReplaceLater =
                documents.lastWriteWins() && !documents.version().isExternal();
        return documents.isOrderedById() || (mayGoElsewhere() && mayReplaceLater);
    }

    /**
     * Whether the last document of an id need not replace those before it: a pipeline may drop it or send it to another
     * index, and with another routing it is in another shard.
     */
    private boolean mayGoElsewhere() {
        return index.pipeline().isPresent() || documents.routing().isPresent();
    }

    @Override
    public BatchWriter openWriter(int lane) {
        ElasticsearchSession session = new ElasticsearchSession(client.get(), connection, connector);
        BulkBody body = new BulkBody(documents, index, connection.compression(), vectors);
        return openWriter(
                session,
                indexes,
                vectors,
                body,
                new BulkSender(session, body, documents, new BulkParameters(index, documents, connection), counts));
    }

    @Override
    public TrialWriter openTrial(boolean isServerAsked) {
        BulkBody body = new BulkBody(documents, index, false);
        if (!isServerAsked) {
            return new UnaskedTrial(document -> ElasticsearchTrial.describe(body, document));
        }
        ElasticsearchSession session = new ElasticsearchSession(client.get(), connection, connector);
        return new ElasticsearchTrial(
                session,
                new BulkBody(documents, index, false),
                index,
                simulation -> openWriter(session, IndexCreator.none(), VectorMappings.none(), body, simulation));
    }

    private BatchWriter openWriter(
            ElasticsearchSession session, IndexCreator wanted, VectorMappings mapped, BulkBody body, Sender sender) {
        return new ElasticsearchBulkWriter(
                session,
                wanted,
                mapped,
                body,
                documents,
                sender,
                policies,
                overrides,
                counts,
                new AccessGrace(Clock.SYSTEM, access, connection.urls().size(), everWritten));
    }

    @Override
    public void continues() {
        everWritten.set(true);
    }

    @Override
    public ErrorOverrides errorOverrides() {
        return overrides;
    }

    @Override
    public List<Metric> metrics() {
        return ElasticsearchMetrics.of(
                Clock.SYSTEM,
                counts,
                () -> client.get().connections(),
                client.get().certificates());
    }

    @Override
    public String description() {
        return "Elasticsearch at " + connection.nodes();
    }

    @Override
    public void close() {
        decoder.ifPresent(ValueDecoder::close);
        client.close();
    }
}
