package io.tidegate.connect.tools.audit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What Kafka has of a case's topics, read without any of this project's main code. */
final class History {
    private final List<Entry> entries;
    private final Map<TopicPartition, Long> begins;
    private final Map<TopicPartition, Long> ends;

    /** A record. */
    record Entry(String topic, int partition, long offset, String key, Optional<String> value, long timestamp) {
        String place() {
            return topic + "-" + partition + "@" + offset;
        }

        boolean isDeletion() {
            return value.isEmpty();
        }

        boolean isMalformed() {
            return value.isPresent() && !value.get().startsWith("{");
        }

        TopicPartition topicPartition() {
            return new TopicPartition(topic, partition);
        }
    }

    private History(List<Entry> entries, Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends) {
        this.entries = List.copyOf(entries);
        this.begins = Map.copyOf(begins);
        this.ends = Map.copyOf(ends);
    }

    static History read(String servers, List<TopicPartition> partitions) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "auto.offset.reset", "earliest", "fetch.max.wait.ms", "20"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<Entry> entries = new ArrayList<>();
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                consumer.poll(Duration.ofMillis(100)).forEach(each -> entries.add(entry(each)));
            }
            return new History(entries, consumer.beginningOffsets(partitions), ends);
        }
    }

    private static Entry entry(ConsumerRecord<byte[], byte[]> each) {
        return new Entry(
                each.topic(),
                each.partition(),
                each.offset(),
                new String(each.key(), StandardCharsets.UTF_8),
                Optional.ofNullable(each.value()).map(value -> new String(value, StandardCharsets.UTF_8)),
                each.timestamp());
    }

    /** The first offsets that Kafka still has. */
    Map<TopicPartition, Long> begins() {
        return begins;
    }

    Map<TopicPartition, Long> ends() {
        return ends;
    }

    List<Entry> all() {
        return entries;
    }

    /** The records from these offsets on. */
    List<Entry> from(Map<TopicPartition, Long> next) {
        return entries.stream()
                .filter(entry -> entry.offset() >= next.get(entry.topicPartition()))
                .toList();
    }

    /** The last record of each identity in each partition that the sink does anything for. */
    Map<String, List<Entry>> latest(DamagedStore store) {
        Map<String, Map<TopicPartition, Entry>> latest = new LinkedHashMap<>();
        entries.stream()
                .filter(entry -> !entry.isMalformed() && (!entry.isDeletion() || store.deletes()))
                .forEach(entry -> latest.computeIfAbsent(store.identityOf(entry), key -> new HashMap<>())
                        .put(entry.topicPartition(), entry));
        return latest.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> List.copyOf(entry.getValue().values()),
                        (a, b) -> a,
                        LinkedHashMap::new));
    }
}
