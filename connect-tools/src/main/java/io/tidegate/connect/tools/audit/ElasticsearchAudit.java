package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.lane.Batch;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.ElasticsearchTargetType;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.IdSource;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import io.tidegate.connect.elasticsearch.settings.VersionSource;
import io.tidegate.connect.elasticsearch.settings.WriteMethod;
import io.tidegate.connect.tools.audit.SearchStore.Hit;
import io.tidegate.connect.tools.command.ToolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;

/**
 * Compares the indexes of an Elasticsearch sink. What the sink would send for a batch of records is compared with the
 * documents that have these ids. If records share ids, a difference is kept until a later record of the id explains it.
 * One thread uses it, except for {@link #abort()}.
 */
final class ElasticsearchAudit implements StoreAudit {
    /** Ids of a search: an answer has this many documents. */
    private static final int BATCH = 1_000;

    private static final long BATCH_BYTES = 8L << 20;

    /** Differences that may wait for a later record, some hundred bytes each. */
    private static final int MOST_SUSPECTS = 500_000;

    private final SearchStore store;
    private final DocumentSettings settings;
    private final IndexSettings index;
    private final BulkBody body;
    private final Findings findings;
    private final Optional<Target> repairing;
    private final Optional<SinkWriter> repairs;
    private final Map<String, Boolean> areStoredAsSent = new HashMap<>(); // by index
    private final Map<String, Long> counted = new LinkedHashMap<>(); // documents without ids, by index
    private final Map<Identity, Suspect> suspects = new LinkedHashMap<>();
    private Scope scope = new Scope(Map.of());

    private record Identity(String index, String id) {
        static Identity of(Document document) {
            return new Identity(document.destination(), new String(document.key(), StandardCharsets.UTF_8));
        }
    }

    /**
     * A difference that a later record may explain.
     *
     * @param repair what would put it right, if that is wanted and possible
     */
    private record Suspect(Finding finding, Optional<Document> repair) {}

    private ElasticsearchAudit(AbstractConfig config, Optional<Target> repairing, Findings findings) {
        this.settings = DocumentSettings.from(config);
        this.index = IndexSettings.from(config);
        this.body = new BulkBody(settings, index.type(), index.pipelineOfRecord(), false);
        this.findings = requireNonNull(findings, "findings");
        this.repairing = repairing;
        this.repairs = repairing.map(target -> new SinkWriter(target.openWriter(0), target.description(), false));
        this.store = new SearchStore(ConnectionSettings.from(config));
    }

    /**
     * Opens the sink's client. No server is asked yet.
     *
     * @param props the sink's settings under this project's names
     */
    static ElasticsearchAudit open(Map<String, String> props, Findings findings, boolean isRepairing) {
        ElasticsearchTargetType type = new ElasticsearchTargetType();
        AbstractConfig config = new AbstractConfig(type.config(), props, false);
        Optional<Target> repairing = isRepairing
                ? Optional.of(type.open(forRepairs(props, DocumentSettings.from(config))))
                : Optional.empty();
        return new ElasticsearchAudit(config, repairing, findings);
    }

    /**
     * The store itself keeps newer documents from being overwritten: by versions, where the same version may be written
     * again, or because only documents that do not exist are created.
     */
    private static Map<String, String> forRepairs(Map<String, String> props, DocumentSettings settings) {
        Map<String, String> guarded = new HashMap<>(props);
        if (settings.version().isExternal()) {
            guarded.put(DocumentSettings.EXTERNAL_VERSION_TYPE, "external_gte");
        } else if (settings.id().isShared()) {
            guarded.put(DocumentSettings.WRITE_METHOD, "create");
            guarded.put(DocumentSettings.EXTERNAL_VERSION, "none");
        }
        return guarded;
    }

    @Override
    public Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
        return Map.of();
    }

    @Override
    public void begin(Scope compared) {
        scope = requireNonNull(compared, "compared");
    }

    @Override
    public void expect(List<Document> documents) throws ToolException, InterruptedException {
        Map<String, List<Document>> byIndex = new LinkedHashMap<>();
        for (Document document : documents) {
            byIndex.computeIfAbsent(document.destination(), name -> new ArrayList<>())
                    .add(document);
        }
        for (Map.Entry<String, List<Document>> each : byIndex.entrySet()) {
            if (settings.id().kind() == IdSource.Kind.NONE) {
                counted.merge(each.getKey(), (long) each.getValue().size(), Long::sum);
            } else {
                compare(each.getKey(), each.getValue());
            }
        }
    }

    private void compare(String name, List<Document> documents) throws ToolException, InterruptedException {
        if (!areStoredAsSent.containsKey(name)) {
            store.refresh(name); // everything up to the connector's position was written before
            areStoredAsSent.put(name, isStoredAsSent(name));
        }
        int from = 0;
        while (from < documents.size()) {
            long bytes = 0;
            int to = from;
            while (to < documents.size() && to - from < BATCH && (to == from || bytes < BATCH_BYTES)) {
                bytes += documents.get(to).json().length();
                to++;
            }
            compareBatch(name, documents.subList(from, to));
            from = to;
        }
    }

    private boolean isStoredAsSent(String name) throws ToolException {
        Optional<String> reason = index.pipelineOfAll().isPresent()
                        || index.pipelineOfRecord().isPresent()
                ? Optional.of("the connector's ingest pipeline may change documents")
                : settings.writeMethod().isMerge() || settings.writeMethod() == WriteMethod.BY_RECORD
                        ? Optional.of("records are merged into documents, or say themselves what they do")
                        : settings.writeMethod().isCreate() && settings.id().isShared() && !scope.isComplete()
                                ? Optional.of("the first record of an id stays, and Kafka may no longer have it")
                                : store.changes(name);
        reason.ifPresent(why -> findings.note("Of " + name + " only the existence of documents is compared: " + why));
        return reason.isEmpty();
    }

    private void compareBatch(String name, List<Document> documents) throws ToolException, InterruptedException {
        List<Document> last =
                settings.id().isShared() ? Batch.of(documents, true).documents() : documents;
        Map<String, List<Hit>> hits = store.find(
                name, last.stream().map(Identity::of).map(Identity::id).toList());
        List<Document> wrong = new ArrayList<>();
        for (Document document : last) {
            Identity identity = Identity.of(document);
            Suspect earlier = suspects.remove(identity);
            Optional<Finding> finding;
            try {
                finding = finding(document, hits.getOrDefault(identity.id(), List.of()));
            } catch (RefusedException e) {
                findings.refused(1);
                findings.compared(-1);
                if (earlier != null) {
                    suspects.put(identity, earlier); // a refused record explains nothing
                }
                continue;
            }
            if (finding.isPresent() && settings.id().isShared()) {
                suspect(identity, new Suspect(finding.get(), repairing.map(target -> document)));
            } else if (finding.isPresent()
                    && findings.add(finding.get())
                    && finding.get().kind() != Finding.Kind.DOUBLED) {
                wrong.add(document);
            }
        }
        findings.compared(documents.size());
        repair(wrong);
    }

    private void suspect(Identity identity, Suspect suspect) throws ToolException {
        suspects.put(identity, suspect);
        if (suspects.size() > MOST_SUSPECTS) {
            throw new ToolException("more than " + MOST_SUSPECTS + " documents of " + identity.index()
                    + " are not what the records so far give, which is too many to wait for later records of"
                    + " their ids; use --since to compare fewer records");
        }
    }

    /** Compares one document with what is stored under its id. */
    private Optional<Finding> finding(Document document, List<Hit> hits) throws ToolException {
        body.clear();
        body.add(document);
        String[] lines = body.text().split("\n", -1);
        JsonNode action = SearchStore.json(lines[0]).elements().next();
        long version = action.path("version").asLong(-1);
        if (settings.version().isExternal() && hits.stream().anyMatch(hit -> hit.version() > version)) {
            return Optional.empty(); // a newer record wrote it
        }
        if (body.methodOf(document) == WriteMethod.DELETE) {
            return hits.isEmpty()
                    ? Optional.empty()
                    : Optional.of(finding(
                            document,
                            Finding.Kind.SURPLUS,
                            "the document is still there although the record deletes it"));
        }
        if (hits.isEmpty()) {
            return Optional.of(finding(document, Finding.Kind.MISSING, "no document with this id"));
        }
        if (hits.size() > 1) {
            return Optional.of(finding(
                    document,
                    Finding.Kind.DOUBLED,
                    hits.size() + " documents: in "
                            + hits.stream().map(Hit::index).sorted().toList()));
        }
        boolean isDifferent = isContentKnown(document, hits.get(0)) && isDifferent(version, lines[1], hits.get(0));
        return isDifferent
                ? Optional.of(finding(document, Finding.Kind.DIFFERENT, "the document is not what the record gives"))
                : Optional.empty();
    }

    private boolean isDifferent(long version, String expected, Hit hit) throws ToolException {
        boolean isOlder = settings.version().isExternal() && hit.version() < version;
        return isOlder || !isSame(SearchStore.json(expected), hit.source());
    }

    private boolean isContentKnown(Document document, Hit hit) {
        boolean mayTie = settings.version().kind() == VersionSource.Kind.TEMPLATE
                && settings.version().type() == VersionSource.Type.EXTERNAL;
        return areStoredAsSent.get(document.destination())
                && !mayTie
                && !hit.source().isMissingNode()
                && !settings.writeMethod().isMerge()
                && !(settings.writeMethod().isCreate() && settings.id().isShared());
    }

    private static boolean isSame(JsonNode expected, JsonNode stored) {
        return expected.equals(
                (a, b) -> {
                    if (a.isNumber() && b.isNumber()) {
                        return a.decimalValue().compareTo(b.decimalValue());
                    }
                    return a.equals(b) ? 0 : 1;
                },
                stored);
    }

    private static Finding finding(Document document, Finding.Kind kind, String detail) {
        TopicPartition partition = document.progress().partition();
        return new Finding(
                kind,
                document.destination(),
                partition.topic(),
                partition.partition(),
                document.offset(),
                new String(document.key(), StandardCharsets.UTF_8),
                detail);
    }

    @Override
    public void ends(TopicPartition partition, long logStart) {
        // A later partition may have records of the same ids.
    }

    @Override
    public void finish(Supplier<Newer> newer) throws ToolException, InterruptedException {
        finishCounts();
        if (suspects.isEmpty()) {
            return;
        }
        newer.get()
                .read(documents -> documents.forEach(document -> {
                    if (suspects.remove(Identity.of(document)) != null) {
                        findings.inFlight(1);
                    }
                }));
        List<Document> wrong = new ArrayList<>();
        for (Suspect suspect : suspects.values()) {
            boolean isFinding = findings.add(suspect.finding());
            boolean isGuarded =
                    settings.version().isExternal() || suspect.finding().kind() == Finding.Kind.MISSING;
            if (isFinding && isGuarded && suspect.finding().kind() != Finding.Kind.DOUBLED) {
                suspect.repair().ifPresent(wrong::add);
            }
        }
        if (repairing.isPresent() && wrong.size() < suspects.size()) {
            findings.note((suspects.size() - wrong.size()) + " documents are not repaired: without external versions"
                    + " nothing would keep a newer document from being overwritten or deleted");
        }
        suspects.clear();
        for (int from = 0; from < wrong.size(); from += BATCH) {
            repair(wrong.subList(from, Math.min(wrong.size(), from + BATCH)));
        }
    }

    private void finishCounts() throws ToolException {
        for (Map.Entry<String, Long> each : counted.entrySet()) {
            store.refresh(each.getKey());
            long stored = store.count(each.getKey());
            findings.note(each.getKey() + " cannot be compared record by record: Elasticsearch makes the ids. It has "
                    + stored + " documents, and " + each.getValue() + " records were compared with that number");
            findings.unknown("records that no document of " + each.getKey() + " can be matched with", each.getValue());
            if (stored < each.getValue()) {
                boolean unused = findings.add(new Finding(
                        Finding.Kind.MISSING,
                        each.getKey(),
                        "",
                        -1,
                        -1,
                        "",
                        "at least " + (each.getValue() - stored)
                                + " documents are missing; which ones cannot be known"));
            }
        }
    }

    private void repair(List<Document> documents) throws ToolException, InterruptedException {
        if (repairs.isPresent() && !documents.isEmpty()) {
            long refused = repairs.get().write(documents);
            findings.repaired(documents.size() - refused);
        }
    }

    @Override
    public void abort() {
        store.abort();
    }

    @Override
    public void close() {
        store.close();
        repairing.ifPresent(Target::close);
    }
}
