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
import io.tidegate.connect.tools.records.StartPoint;
import io.tidegate.connect.tools.records.TopicReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
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
    private final Conversion conversion;
    private final TopicReader reader;
    private final Optional<String> key;
    private final Pace pace;
    private long dropped;
    private long refused;

    private TopicDocuments(Target target, Conversion conversion, TopicReader reader, Optional<String> key, Pace pace) {
        this.target = requireNonNull(target, "target");
        this.mapper = target.mapper();
        this.conversion = requireNonNull(conversion, "conversion");
        this.reader = requireNonNull(reader, "reader");
        this.key = requireNonNull(key, "key");
        this.pace = requireNonNull(pace, "pace");
    }

    /**
     * Opens the consumer. No store is contacted.
     *
     * @param key only documents of this key are passed on
     */
    static TopicDocuments open(Worker worker, ConfiguredSink sink, Optional<String> key, Pace pace)
            throws ToolException {
        Map<String, Object> props = worker.consumer(sink.props());
        // A task of Connect reads aborted records, too, unless the worker or the connector says otherwise.
        if (!worker.has("consumer." + ISOLATION) && !sink.props().containsKey("consumer.override." + ISOLATION)) {
            props.put(ISOLATION, "read_uncommitted");
        }
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
                return new TopicDocuments(sink.type().open(sink.settings()), conversion, reader, key, pace);
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

    /** The records that the connector refused, by their places. */
    Set<String> refusedPlaces(Map<String, Object> admin, String topic, String connector, Findings findings)
            throws ToolException, InterruptedException {
        return DeadLetterTopic.places(reader, admin, topic, connector, findings);
    }

    String description() {
        return target.description();
    }

    /** Records that the transforms dropped or the sink skips. */
    long dropped() {
        return dropped;
    }

    /** Records that a converter, a transform or the sink refused. */
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

    /** Reads a range of one partition to its end. */
    void read(TopicPartition partition, OffsetRange range, Receiver receiver)
            throws ToolException, InterruptedException {
        Reading reading = new Reading(new Progress(partition, 1), range.from(), receiver);
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

    /** Reads single records of a partition, in order. Those that Kafka no longer has are left out. */
    void readRecords(TopicPartition partition, NavigableSet<Long> offsets, RecordReceiver receiver)
            throws ToolException, InterruptedException {
        Long first = offsets.isEmpty() ? null : offsets.first();
        while (first != null) {
            long last = first;
            for (Long next = first; next != null && next - last <= NEAR; next = offsets.higher(next)) {
                last = next;
            }
            boolean unused = reader.read(Map.of(partition, new OffsetRange(first, last + 1)), message -> {
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
    Optional<Document> document(SinkRecord record, TopicPartition partition) {
        try {
            mapper.prepare(List.of(record));
            return mapper.map(record, new Progress(partition, 1));
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }

    private final class Reading {
        private final Progress progress;
        private final Receiver receiver;
        private final List<SinkRecord> records = new ArrayList<>(BATCH);
        private long bytes;
        private long done;
        private long next;

        Reading(Progress progress, long from, Receiver receiver) {
            this.progress = progress;
            this.done = from;
            this.receiver = receiver;
        }

        void add(ConsumerRecord<byte[], byte[]> message) throws ToolException, InterruptedException {
            Converted converted = conversion.convert(message);
            if (converted instanceof Converted.Delivered delivered) {
                records.add(delivered.record());
            } else if (converted instanceof Converted.Dropped) {
                dropped++;
            } else {
                refused++;
            }
            bytes += Math.max(0, message.serializedValueSize()) + Math.max(0, message.serializedKeySize());
            next = message.offset() + 1;
            if (records.size() >= BATCH || bytes >= BATCH_BYTES) {
                flush(next);
            }
        }

        void flush(long to) throws ToolException, InterruptedException {
            List<Document> documents = new ArrayList<>(records.size());
            prepare();
            for (SinkRecord record : records) {
                try {
                    mapper.map(record, progress).ifPresentOrElse(documents::add, () -> dropped++);
                } catch (RefusedException e) {
                    refused++;
                }
            }
            records.clear();
            bytes = 0;
            key.ifPresent(wanted -> documents.removeIf(document -> !isOf(wanted, document)));
            receiver.receive(documents, to - done);
            pace.await(to - done);
            done = to;
        }

        private boolean isOf(String wanted, Document document) {
            return wanted.equals(new String(document.key(), StandardCharsets.UTF_8))
                    || wanted.equals(String.valueOf(document.record().key()));
        }

        private void prepare() throws ToolException {
            try {
                mapper.prepare(records);
            } catch (RetriableException e) {
                throw new ToolException(
                        "what the sink needs to read the records is not to be had: " + e.getMessage(), e);
            }
        }
    }

    @Override
    public void close() {
        reader.close();
        conversion.close();
        target.close();
    }
}
