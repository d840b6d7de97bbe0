package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.redrive.LetterHeaders;
import io.tidegate.connect.tools.audit.Remedy.Action;
import io.tidegate.connect.tools.connector.ConfiguredSink;
import io.tidegate.connect.tools.connector.SinkRun;
import io.tidegate.connect.tools.output.Progress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Gives the records of findings to the sink's own task once more, as dead letters are: under their own coordinates and
 * never over what is newer. A key of which a newer record came meanwhile is left to the connector. One thread uses it.
 */
final class Repair {
    private static final int PART = 500;
    private static final String NEWER = "something newer is stored";
    private static final String SKIPPED = "the connector's settings skip such records";

    private final String connector;
    private final ConfiguredSink sink;
    private final TopicDocuments documents;
    private final KafkaPositions positions;
    private final StoreAudit store;
    private final Findings findings;
    private final TopicPartition letters;
    private final Map<String, Long> left = new LinkedHashMap<>();
    private final List<SinkRecord> part = new ArrayList<>();
    private Optional<SinkRun> run = Optional.empty();
    private Optional<NewerKeys> newerKeys = Optional.empty(); // empty if records share no keys
    private long read;
    private long written;
    private long refused;
    private long copies;

    Repair(
            ConfiguredSink sink,
            TopicDocuments documents,
            KafkaPositions positions,
            StoreAudit store,
            Findings findings) {
        this.connector = sink.name();
        String name = "tidegate-audit-" + connector;
        Map<String, String> props = new HashMap<>(sink.props());
        props.putAll(store.repairing());
        this.sink = new ConfiguredSink(name, sink.connector(), props).redriving(name, name);
        this.documents = requireNonNull(documents, "documents");
        this.positions = requireNonNull(positions, "positions");
        this.store = requireNonNull(store, "store");
        this.findings = requireNonNull(findings, "findings");
        this.letters = new TopicPartition(name, 0);
    }

    /** A row or document, by what identifies it. */
    private record Identity(String destination, ByteBuffer key) {
        static Identity of(Document document) {
            return new Identity(document.destination(), ByteBuffer.wrap(document.key()));
        }
    }

    /** The plan without what cannot be done now. */
    RepairPlan possible(RepairPlan plan) throws ToolException, InterruptedException {
        boolean isRunning = store.isOrderOnly() && positions.isRunning();
        return plan.without(finding -> isRunning && finding.remedy().action() != Action.DELETE_COPIES
                ? Optional.of("a task of the connector is running and could delete the row meanwhile: stop the"
                        + " connector (PUT /connectors/" + connector + "/stop) and repeat")
                : store.objection(finding));
    }

    /** Carries out a plan, as far as it is still possible. */
    void run(RepairPlan asked, StoreAudit.Newer newer) throws ToolException, InterruptedException {
        List<Finding> doubled = new ArrayList<>();
        Map<TopicPartition, NavigableSet<Long>> offsets = new HashMap<>();
        RepairPlan plan = possible(asked);
        for (Finding finding : plan.changes()) {
            if (finding.remedy().action() == Action.DELETE_COPIES) {
                doubled.add(finding);
            } else {
                offsets.computeIfAbsent(finding.topicPartition(), unused -> new TreeSet<>())
                        .add(finding.offset());
            }
        }
        left.putAll(plan.left());
        left.keySet().removeAll(asked.left().keySet()); // the user has read them
        if (!doubled.isEmpty()) {
            copies = store.deleteCopies(doubled);
        }
        if (store.hasSharedKeys()) {
            newerKeys = Optional.of(new NewerKeys(offsets, newer));
        }
        write(offsets);
    }

    private void leave(String reason) {
        left.merge(reason, 1L, Long::sum);
    }

    /** Which keys of the plan got a newer record since the comparison. */
    private final class NewerKeys {
        private final StoreAudit.Newer newer;
        private final Set<Identity> wanted = new HashSet<>();
        private final Set<Identity> changed = new HashSet<>();

        NewerKeys(Map<TopicPartition, NavigableSet<Long>> offsets, StoreAudit.Newer newer)
                throws ToolException, InterruptedException {
            this.newer = newer;
            for (Map.Entry<TopicPartition, NavigableSet<Long>> each : offsets.entrySet()) {
                documents.readRecords(each.getKey(), each.getValue(), record -> identity(record)
                        .ifPresent(wanted::add));
            }
        }

        private Optional<Identity> identity(SinkRecord record) throws ToolException, InterruptedException {
            TopicPartition partition = new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
            return documents.document(record, partition).map(Identity::of);
        }

        /** Leaves these records to the connector if there is a newer one of their key now. */
        List<SinkRecord> withoutChanged(List<SinkRecord> records) throws ToolException, InterruptedException {
            long unreadable = findings.unreadable();
            newer.read(batch ->
                    batch.stream().map(Identity::of).filter(wanted::contains).forEach(changed::add));
            if (findings.unreadable() > unreadable) {
                throw new ToolException(
                        "a newer record cannot be read here, so nothing tells its key: " + findings.lastUnreadable());
            }
            List<SinkRecord> current = new ArrayList<>();
            for (SinkRecord record : records) {
                if (identity(record).filter(changed::contains).isPresent()) {
                    leave("a newer record of its key came meanwhile");
                } else {
                    current.add(record);
                }
            }
            return current;
        }
    }

    private void write(Map<TopicPartition, NavigableSet<Long>> offsets) throws ToolException, InterruptedException {
        Map<TopicPartition, NavigableSet<Long>> sorted =
                new TreeMap<>((a, b) -> a.topic().equals(b.topic())
                        ? Integer.compare(a.partition(), b.partition())
                        : a.topic().compareTo(b.topic()));
        sorted.putAll(offsets);
        long wanted = sorted.values().stream().mapToLong(Set::size).sum();
        try (Progress progress = Progress.of("writing records", wanted)) {
            for (Map.Entry<TopicPartition, NavigableSet<Long>> each : sorted.entrySet()) {
                write(each.getKey(), each.getValue(), progress);
            }
            flush();
        } finally {
            run.ifPresent(SinkRun::close);
        }
        if (wanted > read) {
            left.put(
                    "Kafka no longer has the record, or its transaction is not committed and only the worker's file"
                            + " (--worker) could tell whether the connector reads it",
                    wanted - read);
        }
    }

    /** Nothing is written while records are read: before each part, newer ones are read with the same consumer. */
    private void write(TopicPartition partition, NavigableSet<Long> offsets, Progress progress)
            throws ToolException, InterruptedException {
        NavigableSet<Long> rest = new TreeSet<>(offsets);
        while (!rest.isEmpty()) {
            NavigableSet<Long> next = new TreeSet<>();
            while (next.size() < PART - part.size() && !rest.isEmpty()) {
                next.add(rest.pollFirst());
            }
            documents.readRecords(partition, next, record -> {
                part.add(record);
                read++;
                progress.add(1);
            });
            if (part.size() == PART) {
                flush();
            }
        }
    }

    private void flush() throws ToolException, InterruptedException {
        if (part.isEmpty()) {
            return;
        }
        List<SinkRecord> current = newerKeys.isPresent() ? newerKeys.get().withoutChanged(part) : List.copyOf(part);
        part.clear();
        if (current.isEmpty()) {
            return;
        }
        List<SinkRecord> records = new ArrayList<>();
        for (SinkRecord record : current) {
            if (isLetter(record)) {
                left.merge("the record is itself a dead letter, and would be written under its origin", 1L, Long::sum);
            } else {
                records.add(SinkRun.letter(record, letters, written + records.size()));
            }
        }
        if (records.isEmpty()) {
            return;
        }
        if (run.isEmpty()) {
            run = Optional.of(SinkRun.start(sink, Set.of(letters), (record, reason) -> {
                refused++;
                leave("refused: " + reason.getMessage());
            }));
        }
        run.get().write(records);
        written += records.size();
        leave(NEWER, "records-kept-total");
        leave(SKIPPED, "records-skipped-total");
    }

    private static boolean isLetter(SinkRecord record) {
        return StreamSupport.stream(record.headers().spliterator(), false)
                .anyMatch(header -> header.key().startsWith(LetterHeaders.PREFIX));
    }

    private void leave(String reason, String metric) {
        long records = run.orElseThrow().counts().getOrDefault(metric, 0L);
        if (records > 0) {
            left.put(reason, records);
        }
    }

    /** How many rows or documents were written or deleted. */
    long repaired() {
        long others = refused + left.getOrDefault(NEWER, 0L) + left.getOrDefault(SKIPPED, 0L);
        return copies + Math.max(0, written - others); // refused ones count before their part is written
    }

    /** How many were not, by reason. */
    Map<String, Long> left() {
        return left;
    }
}
