package io.tidegate.connect.tools.redrive;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.tools.output.Progress;
import io.tidegate.connect.tools.records.OffsetRange;
import io.tidegate.connect.tools.records.TopicReader;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks the original topics whether a letter's key has a later record in the same partition. Holds the keys of the
 * chosen letters. One thread uses it.
 */
final class LaterRecords {
    private final Map<TopicPartition, Map<ByteBuffer, Long>> latest = new HashMap<>();
    private final Map<TopicPartition, Long> first = new HashMap<>();

    /** A letter that is to be written. */
    void add(ConsumerRecord<byte[], byte[]> letter) {
        Letter.Origin origin = Letter.of(letter).origin().orElseThrow();
        if (letter.key() != null) {
            latest.computeIfAbsent(origin.partition(), unused -> new HashMap<>())
                    .merge(ByteBuffer.wrap(letter.key()), origin.offset(), Math::max);
            first.merge(origin.partition(), origin.offset(), Math::min);
        }
    }

    /** Reads the original topics from the first of these letters on. */
    void ask(TopicReader reader) throws ToolException, InterruptedException {
        Set<String> topics = new TreeSet<>();
        latest.keySet().forEach(partition -> topics.add(partition.topic()));
        if (topics.isEmpty()) {
            return;
        }
        reader.topics(Map.of("topics", String.join(",", topics)));
        Map<TopicPartition, OffsetRange> ranges = new HashMap<>();
        long total = 0;
        for (Map.Entry<TopicPartition, OffsetRange> partition :
                reader.ranges(topics).entrySet()) {
            OffsetRange range = partition.getValue();
            Long from = first.get(partition.getKey());
            if (from != null) {
                OffsetRange later = new OffsetRange(Math.min(range.to(), Math.max(range.from(), from)), range.to());
                ranges.put(partition.getKey(), later);
                total += later.size();
            }
        }
        try (Progress progress = Progress.of("reading the original topics", total)) {
            reader.read(ranges, message -> {
                if (message.key() != null) {
                    latest.get(new TopicPartition(message.topic(), message.partition()))
                            .computeIfPresent(
                                    ByteBuffer.wrap(message.key()), (key, known) -> Math.max(known, message.offset()));
                }
                progress.add(1);
                return true;
            });
        }
    }

    /** Whether a later record has the same key. */
    boolean has(ConsumerRecord<byte[], byte[]> letter) {
        Letter.Origin origin = Letter.of(letter).origin().orElseThrow();
        Map<ByteBuffer, Long> ofPartition = latest.get(origin.partition());
        Long last = ofPartition == null || letter.key() == null ? null : ofPartition.get(ByteBuffer.wrap(letter.key()));
        return last != null && last > origin.offset();
    }
}
