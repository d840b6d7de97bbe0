package io.tidegate.connect.tools.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.tools.audit.Scope.Stretch;
import io.tidegate.connect.tools.connector.ConfiguredSink;
import io.tidegate.connect.tools.output.Progress;
import io.tidegate.connect.tools.records.OffsetRange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import org.apache.kafka.common.TopicPartition;

/** One comparison of topics and store, up to the position that the connector has committed. */
final class AuditRun {
    /** Offsets that are compared before it is stored that they are. */
    private static final long PART = 5_000_000;

    private final ConfiguredSink sink;
    private final TopicDocuments documents;
    private final KafkaPositions positions;
    private final StoreAudit store;
    private final Findings findings;
    private final Filter filter;
    private final Optional<ComparedFile> compared;

    /**
     * A comparison.
     *
     * @param filter what is compared
     * @param compared what earlier ones have compared; is kept up to date
     */
    AuditRun(
            ConfiguredSink sink,
            TopicDocuments documents,
            KafkaPositions positions,
            StoreAudit store,
            Findings findings,
            Filter filter,
            Optional<ComparedFile> compared) {
        this.sink = requireNonNull(sink, "sink");
        this.documents = requireNonNull(documents, "documents");
        this.positions = requireNonNull(positions, "positions");
        this.store = requireNonNull(store, "store");
        this.findings = requireNonNull(findings, "findings");
        this.filter = requireNonNull(filter, "filter");
        this.compared = requireNonNull(compared, "compared");
    }

    /** What is compared: below the connector's position everything is written. */
    Scope scope() throws ToolException, InterruptedException {
        SortedSet<String> topics = documents.topics(sink);
        // The positions come first, so that no end is before them.
        Map<TopicPartition, Long> next = new HashMap<>(positions.committed());
        next.putAll(store.positions(documents.ranges(topics).keySet()));
        Map<TopicPartition, OffsetRange> ranges = documents.ranges(topics);
        filter.requireIn(ranges.keySet());
        Map<TopicPartition, OffsetRange> first =
                filter.since().isPresent() ? documents.from(filter.since().get(), ranges) : ranges;
        Map<TopicPartition, OffsetRange> behind =
                filter.until().isPresent() ? documents.from(filter.until().get(), ranges) : Map.of();
        Set<String> compacted = positions.compacted(topics);
        Map<TopicPartition, Stretch> stretches = new HashMap<>();
        for (Map.Entry<TopicPartition, OffsetRange> each : ranges.entrySet()) {
            TopicPartition partition = each.getKey();
            OffsetRange range = each.getValue();
            if (filter.includes(partition)) {
                long from = Math.max(first.get(partition).from(), unread(partition, range));
                long last = behind.getOrDefault(partition, new OffsetRange(range.to(), range.to()))
                        .from();
                long to = Math.min(last, end(partition, range, next, from));
                stretches.put(
                        partition,
                        new Stretch(
                                range.from(), from, Math.max(from, to), last, compacted.contains(partition.topic())));
            }
        }
        if (stretches.isEmpty()) {
            throw new ToolException("the connector has no topic");
        }
        return new Scope(
                stretches,
                compared.isPresent() || stretches.size() < ranges.size(),
                filter.key().isPresent());
    }

    /** Where an earlier audit ended. */
    private long unread(TopicPartition partition, OffsetRange range) {
        long next = compared.map(file -> file.next(partition)).orElse(0L);
        if (next > 0) {
            findings.unknown("records that Kafka has deleted before they were compared", range.from() - next);
        }
        return next;
    }

    /** The position of the connector, or the first offset if nothing can be compared. What is not is counted. */
    private long end(TopicPartition partition, OffsetRange range, Map<TopicPartition, Long> next, long from) {
        if (!next.containsKey(partition)) {
            findings.unknown(
                    next.isEmpty()
                            ? "records: the consumer group " + positions.group() + " has committed no offset at all (is"
                                    + " the connector's name right? Kafka also forgets the offsets of a group that was"
                                    + " stopped for long)"
                            : "records of partitions of which the consumer group " + positions.group()
                                    + " has committed no offset",
                    range.to() - from);
            return from;
        }
        long position = next.get(partition);
        if (position > range.to()) {
            findings.unknown(
                    "records of partitions that end before the connector's position: their topic was created again, and"
                            + " the connector has not read it",
                    Math.max(1, range.to() - from));
            return from;
        }
        findings.unknown("records that Kafka has deleted before the connector wrote them", range.from() - position);
        return position;
    }

    /** Compares. What is found goes to the findings at once. */
    void compare(Scope scope) throws ToolException, InterruptedException {
        try (StoreThread thread = new StoreThread();
                Progress progress = Progress.of("comparing records", scope.offsets())) {
            if (compared.isPresent()) {
                store.requireParts();
            }
            for (Scope part : compared.isPresent() ? scope.parts(PART) : List.of(scope)) {
                compare(part, thread, progress);
                if (compared.isPresent()) {
                    for (Map.Entry<TopicPartition, Stretch> each :
                            part.stretches().entrySet()) {
                        if (!findings.isUnreadable(each.getKey())) {
                            compared.get()
                                    .compared(each.getKey(), each.getValue().to());
                        }
                    }
                }
            }
            findings.refused(documents.refused());
        }
    }

    private void compare(Scope scope, StoreThread thread, Progress progress)
            throws ToolException, InterruptedException {
        try {
            thread.run(() -> store.begin(scope));
            for (Map.Entry<TopicPartition, Stretch> each : scope.sorted().entrySet()) {
                TopicPartition partition = each.getKey();
                if (each.getValue().offsets() > 0) {
                    documents.read(partition, each.getValue().compared(), (batch, offsets) -> {
                        List<Document> chosen = chosen(batch);
                        if (!chosen.isEmpty()) {
                            thread.run(() -> store.expect(chosen));
                        }
                        progress.add(offsets);
                    });
                }
                OffsetRange now = documents.ranges(Set.of(partition.topic())).get(partition);
                thread.run(() -> store.ends(partition, now));
            }
            thread.drain();
            thread.run(() -> store.finish(records(scope)));
            thread.drain();
        } catch (InterruptedException e) {
            store.abort(); // the statement that runs would take as long as it takes
            throw e;
        }
    }

    /** The documents that the user wants. */
    private List<Document> chosen(List<Document> batch) {
        return filter.key().isEmpty()
                ? batch
                : batch.stream()
                        .filter(document -> isOf(filter.key().get(), document))
                        .toList();
    }

    /** Where records with different keys may be of one row, only all of the row's say what it is. */
    private boolean isOf(String wanted, Document document) {
        return wanted.equals(new String(document.key(), UTF_8))
                || (!store.hasKeysOfFields()
                        && wanted.equals(String.valueOf(document.record().key())));
    }

    /** Reads the records of a scope again. */
    StoreAudit.Records records(Scope scope) {
        return new StoreAudit.Records() {
            @Override
            public void compared(StoreAudit.Visitor visitor) throws ToolException, InterruptedException {
                for (Map.Entry<TopicPartition, Stretch> each : scope.sorted().entrySet()) {
                    if (each.getValue().offsets() > 0) {
                        documents.readUncounted(each.getKey(), each.getValue().compared(), visiting(visitor));
                    }
                }
            }

            @Override
            public StoreAudit.Newer newer() {
                return new NewerRecords(scope);
            }
        };
    }

    private TopicDocuments.Receiver visiting(StoreAudit.Visitor visitor) {
        return (batch, offsets) -> {
            List<Document> chosen = chosen(batch);
            if (!chosen.isEmpty()) {
                visitor.visit(chosen);
            }
        };
    }

    /** Begins where the comparison ends. */
    private final class NewerRecords implements StoreAudit.Newer {
        private final Scope scope;
        private final Map<TopicPartition, Long> read = new HashMap<>();

        NewerRecords(Scope scope) {
            this.scope = scope;
            scope.stretches().forEach((partition, stretch) -> read.put(partition, stretch.to()));
        }

        @Override
        public void read(StoreAudit.Visitor visitor) throws ToolException, InterruptedException {
            Map<TopicPartition, OffsetRange> ranges = ranges();
            for (TopicPartition partition : scope.sorted().keySet()) {
                OffsetRange range = ranges.get(partition);
                long from = Math.max(range.from(), read.get(partition));
                if (range.to() > from) {
                    documents.readUncounted(partition, new OffsetRange(from, range.to()), visiting(visitor));
                    read.put(partition, range.to());
                }
            }
        }

        @Override
        public Map<TopicPartition, OffsetRange> ranges() throws ToolException, InterruptedException {
            Map<TopicPartition, OffsetRange> ranges = documents.ranges(scope.topics());
            ranges.keySet().retainAll(scope.stretches().keySet());
            return ranges;
        }
    }
}
