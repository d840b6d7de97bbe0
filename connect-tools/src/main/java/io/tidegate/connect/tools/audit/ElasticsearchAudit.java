package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.lane.Batch;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.ElasticsearchTargetType;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.IdSource;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import io.tidegate.connect.elasticsearch.settings.VectorSettings;
import io.tidegate.connect.elasticsearch.settings.VersionSource;
import io.tidegate.connect.elasticsearch.settings.WriteMethod;
import io.tidegate.connect.tools.audit.Remedy.Action;
import io.tidegate.connect.tools.audit.SearchStore.Hit;
import io.tidegate.connect.tools.records.OffsetRange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;

/**
 * Compares the indexes of an Elasticsearch sink. What the sink would send for a batch of records is compared with the
 * documents that have these ids. If records share ids, what differs is
 * read again at the end, with all records of its id: a document that fits one of several partitions is not known to be
 * wrong. One thread uses it, except for {@link #abort()}.
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
    private final boolean hasVectors;
    private final BulkBody body;
    private final Findings findings;
    private final Map<String, Optional<String>> whyNotAsSent = new HashMap<>(); // by index
    private final Set<String> piped = new HashSet<>(); // indexes of which documents may rightly be missing
    private final Map<String, Long> counted = new LinkedHashMap<>(); // documents without ids, by index
    private final Map<String, Long> stored = new LinkedHashMap<>(); // documents found by their coordinates, by index
    private final Map<Suspect, Long> suspects = new LinkedHashMap<>(); // the highest version that does not fit
    private Scope scope = Scope.NOTHING;

    private record Identity(String index, String id) {
        static Identity of(Document document) {
            return new Identity(document.destination(), new String(document.key(), StandardCharsets.UTF_8));
        }
    }

    /** An id whose document is not what its last record so far in one partition gives. */
    private record Suspect(Identity identity, TopicPartition partition) {
        static Suspect of(Document document) {
            return new Suspect(Identity.of(document), document.progress().partition());
        }
    }

    /** What the last record of an id in one partition makes of the stored document. */
    private record Verdict(long version, Optional<Finding> finding) {}

    private ElasticsearchAudit(AbstractConfig config, Findings findings) {
        this.settings = DocumentSettings.from(config);
        this.index = IndexSettings.from(config);
        this.hasVectors = !VectorSettings.from(config).fields().isEmpty();
        this.body = new BulkBody(settings, index, false);
        this.findings = requireNonNull(findings, "findings");
        this.store = new SearchStore(ConnectionSettings.from(config));
    }

    /**
     * Opens the sink's client. No server is contacted yet.
     *
     * @param props the sink's settings under this project's names
     */
    static ElasticsearchAudit open(Map<String, String> props, Findings findings) {
        ElasticsearchTargetType type = new ElasticsearchTargetType();
        Map<String, String> compared = withoutLogVersions(props, new AbstractConfig(type.config(), props, false));
        return new ElasticsearchAudit(new AbstractConfig(type.config(), compared, false), findings);
    }

    /** The versions of documents with coordinates say nothing of what is newer. */
    private static Map<String, String> withoutLogVersions(Map<String, String> props, AbstractConfig config) {
        if (!DocumentSettings.from(config).version().isOfLog()) {
            return props;
        }
        Map<String, String> without = new HashMap<>(props);
        without.put(DocumentSettings.EXTERNAL_VERSION, "none");
        return without;
    }

    @Override
    public Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
        return Map.of();
    }

    @Override
    public void requireParts() throws ToolException {
        if (settings.id().isShared() || settings.id().kind() == IdSource.Kind.NONE) {
            throw new ToolException("the connector cannot be compared in parts (--resume): several of its records may"
                    + " make one document, or nothing shows which document is of which record");
        }
    }

    @Override
    public void begin(Scope compared) {
        scope = requireNonNull(compared, "compared");
    }

    @Override
    public void expect(List<Document> documents) throws ToolException, InterruptedException {
        for (Map.Entry<String, List<Document>> each : byIndex(documents).entrySet()) {
            if (settings.id().kind() == IdSource.Kind.NONE) {
                counted.merge(each.getKey(), findings.notRefused(each.getValue()), Long::sum);
                continue;
            }
            prepare(each.getKey());
            findings.compared(each.getValue().size());
            judge(each.getKey(), each.getValue(), this::compare);
        }
    }

    private static Map<String, List<Document>> byIndex(List<Document> documents) {
        Map<String, List<Document>> byIndex = new LinkedHashMap<>();
        for (Document document : documents) {
            byIndex.computeIfAbsent(document.destination(), name -> new ArrayList<>())
                    .add(document);
        }
        return byIndex;
    }

    private void prepare(String name) throws ToolException {
        if (!whyNotAsSent.containsKey(name)) {
            store.refresh(name); // everything up to the connector's position was written before
            Optional<String> pipelines = pipelines(name);
            whyNotAsSent.put(name, pipelines.isPresent() ? pipelines : whyNotAsSent(name));
        }
    }

    /** What ingest pipelines may do to documents of an index; empty if there is none. */
    private Optional<String> pipelines(String name) throws ToolException {
        Set<String> pipelines = new TreeSet<>(store.finalPipelines(name));
        boolean isNamedByRecord = index.pipelineOfRecord().isPresent();
        if (isNamedByRecord) {
            pipelines.add("of the record");
        } else if (index.pipelineOfAll().isEmpty()) {
            pipelines.addAll(store.defaultPipelines(name));
        } else if (!index.pipelineOfAll().get().equals(IndexSettings.NO_PIPELINE)) {
            pipelines.add(index.pipelineOfAll().get());
        }
        if (pipelines.isEmpty()) {
            return Optional.empty();
        }
        boolean mayMove = isNamedByRecord;
        for (String pipeline : pipelines) {
            mayMove = mayMove || store.mayMove(pipeline);
        }
        if (mayMove) {
            piped.add(name);
        }
        return Optional.of("the ingest pipeline " + String.join(", ", pipelines) + " may change documents"
                + (mayMove ? ", drop them or send them to another index" : ""));
    }

    private Optional<String> whyNotAsSent(String name) throws ToolException {
        if (settings.writeMethod().isMerge() || settings.writeMethod() == WriteMethod.BY_RECORD) {
            return Optional.of("records are merged into documents, or name their own write methods");
        }
        if (settings.writeMethod().isCreate() && settings.id().isShared()) {
            return Optional.of("the first record of an id stays");
        }
        boolean mayTie = settings.version().kind() == VersionSource.Kind.TEMPLATE
                && settings.version().type() == VersionSource.Type.EXTERNAL;
        return mayTie
                ? Optional.of("of several records with one version the first stays, and nothing tells which it was")
                : store.changes(name, hasVectors);
    }

    /** What is done with a document and what is stored under its id. */
    @FunctionalInterface
    private interface Judge {
        /** Returns whether the record counts: if it is refused, the one before it does. */
        boolean judge(Document document, List<Hit> hits) throws ToolException;
    }

    private void judge(String name, List<Document> documents, Judge judge) throws ToolException {
        int from = 0;
        while (from < documents.size()) {
            long bytes = 0;
            int to = from;
            while (to < documents.size() && to - from < BATCH && (to == from || bytes < BATCH_BYTES)) {
                bytes += documents.get(to).json().length();
                to++;
            }
            List<Document> slice = documents.subList(from, to);
            Batch batch = Batch.of(slice, settings.id().isShared() && !isOrderInVersions());
            Set<String> ids = batch.documents().stream()
                    .map(Identity::of)
                    .map(Identity::id)
                    .collect(Collectors.toSet());
            Map<String, List<Hit>> hits = store.find(name, ids);
            for (Document last : batch.documents()) {
                List<Hit> ofId = hits.getOrDefault(Identity.of(last).id(), List.of());
                Optional<Document> document = Optional.of(last);
                while (document.isPresent() && !judge.judge(document.get(), ofId)) {
                    document = batch.supersededBy(document.get());
                }
            }
            from = to;
        }
    }

    /** Whether a value of the record, and not the order of the records, tells which of them is the newest. */
    private boolean isOrderInVersions() {
        return settings.version().kind() == VersionSource.Kind.TEMPLATE
                || settings.version().kind() == VersionSource.Kind.POSITION;
    }

    private boolean compare(Document document, List<Hit> hits) throws ToolException {
        Verdict verdict;
        try {
            verdict = verdict(document, hits);
        } catch (RefusedException e) {
            findings.refused(1);
            findings.compared(-1);
            return false;
        }
        Optional<Finding> finding = verdict.finding();
        boolean isDropped = hits.isEmpty() && !document.isDelete() && piped.contains(document.destination());
        if ((finding.isPresent() || isDropped) && findings.isRefused(document)) {
            findings.refused(document);
            findings.compared(-1);
            return false;
        }
        if (whyNotAsSent.get(document.destination()).isPresent() && !document.isDelete()) {
            findings.unknown(
                    "documents of " + document.destination()
                            + (isDropped ? " that are not there: " : " of which only the existence was compared: ")
                            + whyNotAsSent.get(document.destination()).get(),
                    1);
        }
        if (!settings.id().isShared()) {
            finding.ifPresent(findings::add);
            stored.merge(document.destination(), (long) hits.size(), Long::sum);
        } else if (finding.isEmpty()) {
            fits(Suspect.of(document), verdict.version());
        } else {
            suspect(Suspect.of(document), verdict.version());
        }
        return true;
    }

    /** Another partition may still have a newer record, and so may this one, if values tell which is newer. */
    private void fits(Suspect suspect, long version) {
        if (!isOrderInVersions() || suspects.getOrDefault(suspect, version) <= version) {
            suspects.remove(suspect);
        }
    }

    private void suspect(Suspect suspect, long version) throws ToolException {
        suspects.merge(suspect, version, Math::max);
        if (suspects.size() > MOST_SUSPECTS) {
            throw new ToolException("more than " + MOST_SUSPECTS + " documents of "
                    + suspect.identity().index()
                    + " are not what the records so far give, which is too many to wait for later records of"
                    + " their ids; use --since to compare fewer records");
        }
    }

    /** Compares one document with what is stored under its id. */
    private Verdict verdict(Document document, List<Hit> hits) throws ToolException {
        body.clear();
        body.add(document);
        String[] lines = body.text().split("\n", -1);
        JsonNode action = SearchStore.json(lines[0]).elements().next();
        long version = action.path("version").asLong(-1);
        return new Verdict(version, finding(document, version, lines.length > 1 ? lines[1] : "", hits));
    }

    private Optional<Finding> finding(Document document, long version, String expected, List<Hit> hits)
            throws ToolException {
        boolean isDeletion = body.methodOf(document) == WriteMethod.DELETE;
        if (hits.isEmpty()) {
            return isDeletion || piped.contains(document.destination())
                    ? Optional.empty()
                    : finding(document, Finding.Kind.MISSING, "no document with this id", remedyOfMissing(document));
        }
        if (hits.size() > 1 && !isDeletion) {
            return finding(
                    document,
                    Finding.Kind.DOUBLED,
                    hits.size() + " documents: in "
                            + hits.stream().map(Hit::index).sorted().toList(),
                    Remedy.leave("nothing tells which of them is meant"));
        }
        Hit hit = hits.get(0);
        if (isDeletion) {
            return finding(
                    document,
                    Finding.Kind.SURPLUS,
                    "the document is still there although the key's latest record deletes it",
                    remedyOf(Action.DELETE, version, hit));
        }
        if (settings.version().isExternal() && hit.version() > version) {
            return finding(
                    document,
                    Finding.Kind.DIFFERENT,
                    "the document's version is " + hit.version() + ", and that of the id's latest record is " + version,
                    remedyOf(Action.REPLACE, version, hit));
        }
        boolean isOlder = settings.version().isExternal() && hit.version() < version;
        JsonNode given = SearchStore.json(expected);
        boolean isSame = !isContentKnown(document, hit) || Differences.areSame(given, hit.source());
        if (isSame && !isOlder) {
            return Optional.empty();
        }
        return finding(
                document,
                Finding.Kind.DIFFERENT,
                isOlder
                        ? "the document is of version " + hit.version() + ", the record of " + version
                        : "the document is not what the record gives",
                isSame ? List.of() : Differences.ofDocuments(given, hit.source()),
                remedyOf(Action.REPLACE, version, hit));
    }

    private boolean isContentKnown(Document document, Hit hit) {
        return whyNotAsSent.get(document.destination()).isEmpty()
                && !hit.source().isMissingNode();
    }

    private Remedy remedyOf(Action action, long version, Hit hit) {
        if (!settings.version().isExternal()) {
            return Remedy.leave(
                    settings.id().isShared()
                            ? "without external versions nothing shows which record wrote it"
                            : "it has the coordinates of the record, so another log or something else wrote it; delete"
                                    + " it to have it written again");
        }
        if (hit.version() < version) {
            return Remedy.of(action);
        }
        return Remedy.leave(
                hit.version() > version
                        ? "it has a higher version than any record of its id"
                        : "it has the version of the record, so something else changed it");
    }

    /** A missing document is written if no deletion of its id can be newer. */
    private Remedy remedyOfMissing(Document document) {
        if (!settings.id().isShared()) {
            return Remedy.of(Action.WRITE);
        }
        if (!body.methodOf(document).isReplace() || settings.writeMethod() == WriteMethod.BY_RECORD) {
            return Remedy.leave("it may be made of more than the latest record of its id");
        }
        if (findings.unreadable() > 0) {
            return Remedy.leave(Scope.UNREAD);
        }
        if (scope.isPart()) {
            return Remedy.leave(Scope.PART);
        }
        if (isOrderInVersions() && !scope.isComplete()) {
            return Remedy.leave(Scope.VALUES_UNREAD);
        }
        return settings.nullValues() == NullValues.DELETE && !scope.isOrderKnown()
                ? Remedy.leave(Scope.DELETED_ELSEWHERE)
                : Remedy.of(Action.WRITE);
    }

    private static Optional<Finding> finding(Document document, Finding.Kind kind, String detail, Remedy remedy) {
        return finding(document, kind, detail, List.of(), remedy);
    }

    private static Optional<Finding> finding(
            Document document, Finding.Kind kind, String detail, List<Difference> differences, Remedy remedy) {
        TopicPartition partition = document.progress().partition();
        return Optional.of(new Finding(
                kind,
                document.destination(),
                partition.topic(),
                partition.partition(),
                document.offset(),
                new String(document.key(), StandardCharsets.UTF_8),
                detail,
                differences,
                remedy));
    }

    @Override
    public void ends(TopicPartition partition, OffsetRange now) {
        // A later partition may have records of the same ids.
    }

    @Override
    public void finish(Records records) throws ToolException, InterruptedException {
        finishCounts();
        countUnexplained(records);
        Set<Identity> suspected =
                suspects.keySet().stream().map(Suspect::identity).collect(Collectors.toSet());
        suspects.clear();
        if (suspected.isEmpty()) {
            return;
        }
        Newer newer = records.newer();
        if (!isOrderInVersions()) { // or the newer record may be an older one
            explain(newer, suspected);
        }
        Map<Identity, Map<TopicPartition, Verdict>> verdicts = new LinkedHashMap<>();
        records.compared(documents -> {
            List<Document> ofSuspected = documents.stream()
                    .filter(document -> suspected.contains(Identity.of(document)))
                    .toList();
            for (Map.Entry<String, List<Document>> each : byIndex(ofSuspected).entrySet()) {
                judge(each.getKey(), each.getValue(), (document, hits) -> collect(verdicts, document, hits));
            }
        });
        Set<Identity> wrong = verdicts.entrySet().stream()
                .filter(each -> newest(List.copyOf(each.getValue().values())).stream()
                        .noneMatch(verdict -> verdict.finding().isEmpty()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        Set<Identity> unexplained = new HashSet<>(wrong);
        explain(newer, unexplained); // by what the sink wrote while these documents were read
        verdicts.keySet().removeIf(each -> wrong.contains(each) && !unexplained.contains(each));
        verdicts.forEach((identity, ofId) -> conclude(identity, newest(List.copyOf(ofId.values()))));
    }

    /**
     * Takes out what a record explains that the sink may have written since. If that does not replace the whole document, the
     * document is not known to be right.
     */
    private void explain(Newer newer, Set<Identity> suspected) throws ToolException, InterruptedException {
        newer.read(documents -> documents.forEach(document -> {
            if (!isWritten(document) || findings.isRefused(document) || !suspected.remove(Identity.of(document))) {
                return;
            }
            boolean isAllReplaced =
                    document.isDelete() || body.methodOf(document).isReplace();
            if (isAllReplaced && !isOrderInVersions()) {
                findings.inFlight(1);
            } else {
                findings.unknown(
                        "documents of " + document.destination()
                                + " that differ while the sink writes a newer record of"
                                + " their id: "
                                + (isOrderInVersions()
                                        ? "its version decides whether it replaces"
                                        : "it does not replace all of")
                                + " the document",
                        1);
            }
        }));
    }

    /** Whether the sink does not refuse the document itself. */
    private boolean isWritten(Document document) {
        try {
            body.clear();
            body.add(document);
            return true;
        } catch (RefusedException e) {
            return false;
        }
    }

    private boolean collect(Map<Identity, Map<TopicPartition, Verdict>> verdicts, Document document, List<Hit> hits)
            throws ToolException {
        try {
            Verdict verdict = verdict(document, hits);
            if (verdict.finding().isPresent() && findings.isRefused(document)) {
                return false; // counted before
            }
            verdicts.computeIfAbsent(Identity.of(document), unused -> new HashMap<>())
                    .merge(
                            document.progress().partition(),
                            verdict,
                            (old, later) -> later.version() < old.version() ? old : later);
            return true;
        } catch (RefusedException e) {
            return false; // counted before
        }
    }

    /** Those that may be the newest: where versions tell, the ones with the highest version. */
    private List<Verdict> newest(List<Verdict> ofPartitions) {
        if (!isOrderInVersions()) {
            return ofPartitions;
        }
        long highest = ofPartitions.stream().mapToLong(Verdict::version).max().orElseThrow();
        return ofPartitions.stream()
                .filter(verdict -> verdict.version() == highest)
                .toList();
    }

    private void conclude(Identity identity, List<Verdict> verdicts) {
        boolean fits = verdicts.stream().anyMatch(verdict -> verdict.finding().isEmpty());
        boolean isAnyRight = verdicts.size() == 1 || isOrderInVersions(); // of equal versions, either may stay
        if (fits && !isAnyRight) {
            findings.unknown(
                    "ids of " + identity.index()
                            + " that have records in several partitions: nothing tells which is the newest",
                    1);
        } else if (!fits) {
            // Where one partition deletes the document and another one writes it, it should be another document.
            List<Finding> wrong = verdicts.stream()
                    .map(verdict -> verdict.finding().orElseThrow())
                    .toList();
            Finding finding = wrong.stream()
                    .filter(each -> each.kind() != Finding.Kind.SURPLUS)
                    .findFirst()
                    .orElse(wrong.get(0));
            findings.addOfKey(
                    isAnyRight
                            ? finding
                            : finding.withoutDifferences()
                                    .left("its id has records in several partitions, and nothing tells which is the"
                                            + " newest"));
        }
    }

    private void finishCounts() throws ToolException {
        for (Map.Entry<String, Long> each : counted.entrySet()) {
            prepare(each.getKey());
            long number = store.count(each.getKey());
            findings.note(each.getKey() + " cannot be compared record by record: Elasticsearch makes the ids. It has "
                    + number + " documents, and " + each.getValue() + " records were compared with that number");
            findings.unknown("records that no document of " + each.getKey() + " can be matched with", each.getValue());
            if (number < each.getValue() && !piped.contains(each.getKey())) {
                findings.add(Finding.ofAll(
                        Finding.Kind.MISSING,
                        each.getKey(),
                        "at least " + (each.getValue() - number)
                                + " documents are missing; which ones cannot be known"));
            }
        }
    }

    /** Documents with coordinates that are neither of a record which was read nor of one that came since. */
    private void countUnexplained(Records records) throws ToolException, InterruptedException {
        boolean isAllRead = scope.isWhole()
                && scope.stretches().values().stream().allMatch(stretch -> stretch.from() == stretch.logStart());
        if (!isAllRead) {
            return;
        }
        for (Map.Entry<String, Long> each : stored.entrySet()) {
            long number = store.count(each.getKey());
            long newer = records.newer().ranges().entrySet().stream()
                    .mapToLong(range -> range.getValue().to()
                            - scope.stretches().get(range.getKey()).to())
                    .sum();
            findings.unknown(
                    "documents of " + each.getKey() + " that no record explains which was read: their records may be"
                            + " older",
                    number - each.getValue() - newer);
        }
    }

    @Override
    public Map<String, String> repairing() {
        return Map.of();
    }

    @Override
    public boolean hasSharedKeys() {
        return settings.id().isShared();
    }

    @Override
    public boolean hasKeysOfFields() {
        return settings.id().isShared() && settings.id().kind() != IdSource.Kind.KEY;
    }

    /** Two repairs write the same documents under the same ids. */
    @Override
    public void lock(String connector) {
        // Nothing can be doubled.
    }

    @Override
    public boolean isOrderOnly() {
        return settings.id().isShared()
                && settings.nullValues() == NullValues.DELETE
                && !settings.version().isExternal();
    }

    @Override
    public Optional<String> objection(Finding finding) {
        return Optional.empty();
    }

    @Override
    public long deleteCopies(List<Finding> doubled) {
        throw new IllegalStateException("an index has no two documents of one id");
    }

    @Override
    public void abort() {
        store.abort();
    }

    @Override
    public void close() {
        store.close();
    }
}
