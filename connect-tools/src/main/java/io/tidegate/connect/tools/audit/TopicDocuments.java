package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.tools.cluster.Worker;
import io.tidegate.connect.tools.connector.ConfiguredSink;
import io.tidegate.connect.tools.records.Conversion;
import io.tidegate.connect.tools.records.Converted;
import io.tidegate.connect.tools.records.OffsetRange;
import io.tidegate.connect.tools.records.Preparation;
import io.tidegate.connect.tools.records.StartPoint;
import io.tidegate.connect.tools.records.TopicReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedSet;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * The records of topics as the documents that the sink writes for them: with the worker's converters and transforms and
 * the sink's mapper. One thread at a time uses it.
 */
final class TopicDocuments implements AutoCloseable {
    /** As many as a COPY takes well, and few enough to be young when they die. */
    private static final int BATCH = 10_000;

    private static final long BATCH_BYTES = 16L << 20;

    /** Single records that are so near are fetched together. */
    private static final long NEAR = 1_000;

    private static final String ISOLATION = ConsumerConfig.ISOLATION_LEVEL_CONFIG;

    private final Target target;
    private final DocumentMapper mapper;
    private final Preparation preparation;
    private final Conversion conversion;
    private final TopicReader reader;
    private final boolean isIsolationKnown;
    private final Map<String, Object> props;
    private final Findings findings;
    private final Pace pace;
    private long dropped;
    private long refused;

    private TopicDocuments(
            Target target,
            Conversion conversion,
            TopicReader reader,
            boolean isIsolationKnown,
            Map<String, Object> props,
            Findings findings,
            Pace pace) {
        this.target = requireNonNull(target, "target");
        this.mapper = target.mapper();
        this.preparation = new Preparation(mapper);
        this.conversion = requireNonNull(conversion, "conversion");
        this.reader = requireNonNull(reader, "reader");
        this.isIsolationKnown = isIsolationKnown;
        this.props = Map.copyOf(props);
        this.findings = requireNonNull(findings, "findings");
        this.pace = requireNonNull(pace, "pace");
    }

    /**
     * Opens the consumer. No store is contacted.
     *
     * @param findings where records are counted that cannot be read
     */
    static TopicDocuments open(Worker worker, ConfiguredSink sink, Findings findings, Pace pace) throws ToolException {
        Map<String, Object> props = worker.consumer(sink.props());
        // A task of Connect reads aborted records, too, unless the worker or the connector says otherwise.
        boolean isSet = worker.has("consumer." + ISOLATION)
                || sink.props().containsKey("consumer.override." + ISOLATION)
                || worker.hasOfClients(ISOLATION);
        if (!isSet) {
            props.put(ISOLATION, "read_uncommitted");
        }
        boolean isKnown = isSet || worker.has(WorkerConfig.KEY_CONVERTER_CLASS_CONFIG); // each worker's file has one
        // Kafka may delete records while they are read: the audit goes on behind them.
        props.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        props.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, String.valueOf(BATCH));
        // The next partition waits for the answer about the end of the one before.
        props.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "50");
        props.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, String.valueOf(8 << 20));
        Conversion conversion = Conversion.open(worker, sink);
        try {
            TopicReader reader = TopicReader.open(props);
            try {
                Target target = sink.type().open(sink.settings());
                return new TopicDocuments(target, conversion, reader, isKnown, props, findings, pace);
            } catch (ConnectException e) {
                reader.close();
                throw new ToolException("the sink cannot be opened: " + e.getMessage(), e);
            }
        } catch (ToolException e) {
            conversion.close();
            throw e;
        }
    }

    SortedSet<String> topics(ConfiguredSink sink) throws ToolException, InterruptedException {
        return reader.topics(sink.props());
    }

    Map<TopicPartition, OffsetRange> ranges(Collection<String> topics) throws ToolException, InterruptedException {
        return reader.ranges(topics);
    }

    /** The same ranges from a time on. */
    Map<TopicPartition, OffsetRange> from(StartPoint start, Map<TopicPartition, OffsetRange> ranges)
            throws ToolException, InterruptedException {
        return reader.from(start, Long.MAX_VALUE, ranges);
    }

    /** Finds the records that the connector refused. A redrive that was cut off may have aborted the copy of a letter. */
    void findLetters(DeadLetterTopic letters) throws ToolException, InterruptedException {
        try (TopicReader ofLetters = committed()) {
            letters.find(ofLetters, findings);
        }
    }

    private TopicReader committed() throws ToolException {
        Map<String, Object> committed = new HashMap<>(props);
        committed.put(ISOLATION, "read_committed");
        return TopicReader.open(committed);
    }

    String description() {
        return target.description();
    }

    /** Records that the transforms dropped or the sink skips. */
    long dropped() {
        return dropped;
    }

    /** Records that the connector refused, and those that the sink's settings refuse. */
    long refused() {
        return refused;
    }

    /** Takes what was read. */
    @FunctionalInterface
    interface Receiver {
        /**
         * Takes documents in order.
         *
         * @param documents may be empty; the receiver keeps the list
         * @param offsets how many offsets further this is
         */
        void receive(List<Document> documents, long offsets) throws ToolException, InterruptedException;
    }

    /** Reads a range of one partition to its end, and counts what is refused or dropped. */
    void read(TopicPartition partition, OffsetRange range, Receiver receiver)
            throws ToolException, InterruptedException {
        read(partition, range, true, receiver);
    }

    /** Reads a range that was read before, or that is not compared. */
    void readUncounted(TopicPartition partition, OffsetRange range, Receiver receiver)
            throws ToolException, InterruptedException {
        read(partition, range, false, receiver);
    }

    private void read(TopicPartition partition, OffsetRange range, boolean isCounted, Receiver receiver)
            throws ToolException, InterruptedException {
        Reading reading = new Reading(new Progress(partition, 1), range.from(), isCounted, receiver);
        reader.read(Map.of(partition, range), message -> {
            reading.add(message);
            return true;
        });
        reading.flush(range.to());
    }

    /** Takes a record as the sink's task would get it. */
    @FunctionalInterface
    interface RecordReceiver {
        void receive(SinkRecord record) throws ToolException, InterruptedException;
    }

    /**
     * Reads single records of a partition, in order. Those that Kafka no longer has are left out, and aborted ones if
     * nothing tells whether the connector reads them.
     */
    void readRecords(TopicPartition partition, NavigableSet<Long> offsets, RecordReceiver receiver)
            throws ToolException, InterruptedException {
        if (isIsolationKnown) {
            readRecords(reader, partition, offsets, receiver);
            return;
        }
        try (TopicReader committed = committed()) {
            long end = requireNonNull(
                            committed.ranges(List.of(partition.topic())).get(partition))
                    .to();
            readRecords(committed, partition, offsets.headSet(end, false), receiver);
        }
    }

    private void readRecords(
            TopicReader from, TopicPartition partition, NavigableSet<Long> offsets, RecordReceiver receiver)
            throws ToolException, InterruptedException {
        Long first = offsets.isEmpty() ? null : offsets.first();
        while (first != null) {
            long last = first;
            for (Long next = first; next != null && next - last <= NEAR; next = offsets.higher(next)) {
                last = next;
            }
            boolean unused = from.read(Map.of(partition, new OffsetRange(first, last + 1)), message -> {
                if (offsets.contains(message.offset())
                        && conversion.convert(message) instanceof Converted.Delivered delivered) {
                    receiver.receive(delivered.record());
                }
                return true;
            });
            first = offsets.higher(last);
        }
    }

    /** What the sink makes of a record, if it does not refuse it. */
    Optional<Document> document(SinkRecord record, TopicPartition partition)
            throws ToolException, InterruptedException {
        preparation.prepare(List.of(record));
        try {
            return mapper.map(record, new Progress(partition, 1));
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }

    private final class Reading {
        private final Progress progress;
        private final boolean isCounted;
        private final Receiver receiver;
        private final List<SinkRecord> records = new ArrayList<>(BATCH);
        private long bytes;
        private long done;
        private long next;

        Reading(Progress progress, long from, boolean isCounted, Receiver receiver) {
            this.progress = progress;
            this.done = from;
            this.isCounted = isCounted;
            this.receiver = receiver;
        }

        void add(ConsumerRecord<byte[], byte[]> message) throws ToolException, InterruptedException {
            Converted converted = conversion.convert(message);
            if (converted instanceof Converted.Delivered delivered) {
                records.add(delivered.record());
            } else if (converted instanceof Converted.Failed failed) {
                fail(failed);
            } else {
                drop();
            }
            bytes += Math.max(0, message.serializedValueSize()) + Math.max(0, message.serializedKeySize());
            next = message.offset() + 1;
            if (records.size() >= BATCH || bytes >= BATCH_BYTES) {
                flush(next);
            }
        }

        private void fail(Converted.Failed failed) {
            String place = Findings.place(progress.partition(), failed.raw().offset());
            if (findings.isRefused(place)) {
                refuse();
            } else {
                findings.unreadable(progress.partition(), isCounted, place + ": " + failed.error());
            }
        }

        private void refuse() {
            refused += isCounted ? 1 : 0;
        }

        private void drop() {
            dropped += isCounted ? 1 : 0;
        }

        void flush(long to) throws ToolException, InterruptedException {
            List<Document> documents = new ArrayList<>(records.size());
            preparation.prepare(records);
            for (SinkRecord record : records) {
                try {
                    mapper.map(record, progress).ifPresentOrElse(documents::add, this::drop);
                } catch (RefusedException e) {
                    refuse();
                }
            }
            records.clear();
            bytes = 0;
            receiver.receive(documents, to - done);
            pace.await(to - done);
            done = to;
        }
    }

    @Override
    public void close() {
        reader.close();
        conversion.close();
        target.close();
    }
}
