package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.tools.audit.Scope.Stretch;
import io.tidegate.connect.tools.command.ToolException;
import io.tidegate.connect.tools.connector.ConfiguredSink;
import io.tidegate.connect.tools.output.Progress;
import io.tidegate.connect.tools.records.OffsetRange;
import io.tidegate.connect.tools.records.StartPoint;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import org.apache.kafka.common.TopicPartition;

/** One comparison of topics and store, up to the position that the connector has committed. */
final class AuditRun {
    private final ConfiguredSink sink;
    private final TopicDocuments documents;
    private final KafkaPositions positions;
    private final StoreAudit store;
    private final Findings findings;

    AuditRun(
            ConfiguredSink sink,
            TopicDocuments documents,
            KafkaPositions positions,
            StoreAudit store,
            Findings findings) {
        this.sink = requireNonNull(sink, "sink");
        this.documents = requireNonNull(documents, "documents");
        this.positions = requireNonNull(positions, "positions");
        this.store = requireNonNull(store, "store");
        this.findings = requireNonNull(findings, "findings");
    }

    /** What is compared: below the connector's position everything is written. */
    Scope scope(Optional<StartPoint> since) throws ToolException, InterruptedException {
        SortedSet<String> topics = documents.topics(sink);
        findings.deadLetters(documents.deadLetters(sink, findings));
        // The positions come first, so that no end is before them.
        Map<TopicPartition, Long> next = new HashMap<>(positions.committed());
        Map<TopicPartition, OffsetRange> ranges = documents.ranges(topics);
        next.putAll(store.positions(ranges.keySet()));
        Map<TopicPartition, OffsetRange> wanted = since.isPresent() ? documents.since(since.get(), ranges) : ranges;
        Set<String> compacted = positions.compacted(topics);
        Map<TopicPartition, Stretch> stretches = new HashMap<>();
        ranges.forEach((partition, range) -> {
            long from = wanted.get(partition).from();
            long to = Math.min(range.to(), next.getOrDefault(partition, from));
            if (!next.containsKey(partition) && range.size() > 0) {
                findings.note("the connector has committed no offset of " + partition + ", so nothing of it is compared"
                        + " (consumer group " + positions.group() + ")");
            } else if (to < range.from()) {
                findings.note("Kafka has deleted records of " + partition + " that the connector has not written: from "
                        + to + " to " + (range.from() - 1));
            }
            stretches.put(
                    partition,
                    new Stretch(
                            range.from(), from, Math.max(from, to), range.to(), compacted.contains(partition.topic())));
        });
        return new Scope(stretches);
    }

    /** Compares. What is found goes to the findings at once. */
    void compare(Scope scope) throws ToolException, InterruptedException {
        try (StoreThread thread = new StoreThread();
                Progress progress = Progress.of("comparing records", scope.offsets())) {
            compare(scope, thread, progress);
        }
    }

    private void compare(Scope scope, StoreThread thread, Progress progress)
            throws ToolException, InterruptedException {
        try {
            thread.run(() -> store.begin(scope));
            for (Map.Entry<TopicPartition, Stretch> each : scope.sorted().entrySet()) {
                compare(each.getKey(), each.getValue(), thread, progress);
            }
            thread.drain();
            findings.refused(documents.refused());
            thread.run(() -> store.finish(() -> newer(scope)));
            thread.drain();
        } catch (InterruptedException e) {
            store.abort(); // the statement that runs would take as long as it takes
            throw e;
        }
    }

    private void compare(TopicPartition partition, Stretch stretch, StoreThread thread, Progress progress)
            throws ToolException, InterruptedException {
        if (stretch.offsets() > 0) {
            documents.read(partition, new OffsetRange(stretch.from(), stretch.to()), (batch, offsets) -> {
                if (!batch.isEmpty()) {
                    thread.run(() -> store.expect(batch));
                }
                progress.add(offsets);
            });
        }
        long logStart =
                documents.ranges(Set.of(partition.topic())).get(partition).from();
        thread.run(() -> store.ends(partition, logStart));
    }

    /** Begins where the comparison ends. */
    private StoreAudit.Newer newer(Scope scope) {
        Map<TopicPartition, Long> read = new HashMap<>();
        scope.stretches().forEach((partition, stretch) -> read.put(partition, stretch.to()));
        return visitor -> {
            Map<TopicPartition, OffsetRange> ranges = documents.ranges(scope.topics());
            for (TopicPartition partition : scope.sorted().keySet()) {
                long from = read.get(partition);
                OffsetRange newer = new OffsetRange(
                        from, Math.max(from, ranges.get(partition).to()));
                if (newer.size() > 0) {
                    documents.read(partition, newer, (batch, offsets) -> {
                        if (!batch.isEmpty()) {
                            visitor.visit(batch);
                        }
                    });
                    read.put(partition, newer.to());
                }
            }
        };
    }
}
