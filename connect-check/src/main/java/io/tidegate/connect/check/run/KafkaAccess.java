package io.tidegate.connect.check.run;

import io.tidegate.connect.check.oracle.LoggedRecord;
import io.tidegate.connect.testkit.kafka.KafkaBroker;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Topics, records and groups. Thread-safe. */
public final class KafkaAccess implements AutoCloseable {
    private static final int LARGEST = 4_000_000;
    private static final int TRANSACTION = 20; // records

    private final KafkaBroker broker;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;
    private Optional<KafkaProducer<byte[], byte[]>> transactional = Optional.empty(); // guarded by this
    private int producers; // guarded by this

    KafkaAccess(KafkaBroker broker) {
        this.broker = broker;
        admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()));
        producer = producer(Map.of());
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers());
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Creates a topic that keeps records however old their timestamps are. */
    public void createTopic(String name, int partitions) {
        broker.createTopic(
                name, partitions, Map.of("max.message.bytes", Integer.toString(LARGEST), "retention.ms", "-1"));
    }

    public void deleteTopics(Collection<String> names) throws ExecutionException, InterruptedException {
        admin.deleteTopics(names).all().get();
    }

    public void addPartitions(String topic, int total) throws ExecutionException, InterruptedException {
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(total)))
                .all()
                .get();
    }

    /** Sends records and returns when Kafka has them, each partition's in this order. */
    void send(List<ProducerRecord<byte[], byte[]>> records) throws ExecutionException, InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        records.forEach(record -> sent.add(producer.send(record)));
        producer.flush();
        for (Future<RecordMetadata> one : sent) {
            one.get();
        }
    }

    /**
     * Sends records in transactions, some at a time. Before each, a part of it is sent in a transaction that is aborted, so
     * that nobody who reads what is committed has offsets without gaps.
     */
    synchronized void sendInTransactions(List<ProducerRecord<byte[], byte[]>> records) {
        boolean isSent = false;
        try {
            for (int from = 0; from < records.size(); from += TRANSACTION) {
                List<ProducerRecord<byte[], byte[]>> part =
                        records.subList(from, Math.min(records.size(), from + TRANSACTION));
                begin(part.subList(0, part.size() / 2)).abortTransaction();
                begin(part).commitTransaction();
            }
            isSent = true;
        } finally {
            if (!isSent) {
                closeTransactional();
            }
        }
    }

    private KafkaProducer<byte[], byte[]> begin(List<ProducerRecord<byte[], byte[]>> records) {
        if (transactional.isEmpty()) {
            KafkaProducer<byte[], byte[]> opened =
                    producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "check-" + ++producers));
            transactional = Optional.of(opened);
            opened.initTransactions();
        }
        KafkaProducer<byte[], byte[]> begun = transactional.get();
        begun.beginTransaction();
        for (ProducerRecord<byte[], byte[]> record : records) {
            Future<RecordMetadata> unused = begun.send(record); // the commit throws its error
        }
        begun.flush();
        return begun;
    }

    private synchronized void closeTransactional() {
        transactional.ifPresent(opened -> opened.close(Duration.ofSeconds(2)));
        transactional = Optional.empty();
    }

    /** The committed offsets of a sink connector. */
    Map<TopicPartition, Long> committed(String connector) throws ExecutionException, InterruptedException {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        admin.listConsumerGroupOffsets("connect-" + connector)
                .partitionsToOffsetAndMetadata()
                .get()
                .forEach((partition, offset) -> {
                    if (offset != null) {
                        offsets.put(partition, offset.offset());
                    }
                });
        return offsets;
    }

    void deleteGroup(String connector) {
        admin.deleteConsumerGroups(List.of("connect-" + connector));
    }

    /** The ends of all partitions of topics that exist. */
    public Map<TopicPartition, Long> ends(Map<String, Integer> partitions)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        partitions.forEach((topic, count) -> IntStream.range(0, count)
                .forEach(number -> latest.put(new TopicPartition(topic, number), OffsetSpec.latest())));
        Map<TopicPartition, Long> ends = new HashMap<>();
        admin.listOffsets(latest).all().get().forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }

    /**
     * The records of each partition from an offset up to an end, in their order.
     *
     * @param from 0 for a partition that is not there
     */
    List<LoggedRecord> read(Map<TopicPartition, Long> ends, Map<TopicPartition, Long> from) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            consumer.assign(ends.keySet());
            ends.keySet().forEach(partition -> consumer.seek(partition, from.getOrDefault(partition, 0L)));
            List<LoggedRecord> records = new ArrayList<>();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> records.add(logged(record)));
            }
            return records;
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        broker.bootstrapServers(),
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "none",
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private static LoggedRecord logged(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        for (Header header : record.headers()) {
            headers.put(header.key(), header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8));
        }
        return new LoggedRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                Optional.ofNullable(record.key()).map(ByteBuffer::wrap),
                Optional.ofNullable(record.value()).map(ByteBuffer::wrap),
                headers);
    }

    @Override
    public void close() {
        closeTransactional();
        producer.close(Duration.ofSeconds(2));
        admin.close(Duration.ofSeconds(2));
    }
}
