package io.tidegate.connect.tools.records;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads ranges of partitions without a group: no offset is committed and no topic is created. One thread uses it. Ctrl-C
 * ends each of its methods with an {@link InterruptedException}.
 */
public final class TopicReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final Consumer<byte[], byte[]> consumer;
    private final String servers;

    private TopicReader(Consumer<byte[], byte[]> consumer, String servers) {
        this.consumer = requireNonNull(consumer, "consumer");
        this.servers = requireNonNull(servers, "servers");
    }

    /**
     * Opens a consumer.
     *
     * @param props of {@link io.tidegate.connect.tools.cluster.Worker#consumer}
     * @throws ToolException if the properties cannot be used
     */
    public static TopicReader open(Map<String, Object> props) throws ToolException {
        try {
            return new TopicReader(new KafkaConsumer<>(props), String.valueOf(props.get("bootstrap.servers")));
        } catch (KafkaException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new ToolException("Kafka's client cannot be opened: " + reason.getMessage(), e);
        }
    }

    /** What is done with each record. */
    @FunctionalInterface
    public interface Visitor {
        /** Returns whether to go on. */
        boolean visit(ConsumerRecord<byte[], byte[]> message) throws ToolException, InterruptedException;
    }

    /**
     * The topics of a sink connector: those that its "topics" name, or those in Kafka that match its "topics.regex".
     *
     * @throws ToolException if there are none or one does not exist
     */
    public NavigableSet<String> topics(Map<String, String> connector) throws ToolException, InterruptedException {
        Set<String> existing = asked(consumer::listTopics).keySet();
        NavigableSet<String> found = new TreeSet<>();
        String regex = connector.getOrDefault("topics.regex", "");
        if (!regex.isBlank()) {
            existing.stream().filter(pattern(regex).asMatchPredicate()).forEach(found::add);
        }
        for (String topic : connector.getOrDefault("topics", "").split(",", -1)) {
            if (!topic.isBlank() && !existing.contains(topic.strip())) {
                throw new ToolException(
                        "Kafka at " + servers + " has no topic " + topic.strip() + ", or this user may not see it");
            }
            if (!topic.isBlank()) {
                found.add(topic.strip());
            }
        }
        if (found.isEmpty()) {
            throw new ToolException(
                    regex.isBlank()
                            ? "the connector has neither topics nor topics.regex"
                            : "no topic matches " + regex);
        }
        return found;
    }

    private static Pattern pattern(String regex) throws ToolException {
        try {
            return Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw new ToolException("topics.regex is not a regular expression: " + e.getDescription(), e);
        }
    }

    /** Whether Kafka has this topic and shows it to this user. */
    public boolean exists(String topic) throws ToolException, InterruptedException {
        return asked(consumer::listTopics).containsKey(topic);
    }

    /** All partitions of topics that exist, with the offsets that Kafka has of them now. Sorted. */
    public Map<TopicPartition, OffsetRange> ranges(Collection<String> topics)
            throws ToolException, InterruptedException {
        List<TopicPartition> partitions = new ArrayList<>();
        for (String topic : topics) {
            for (PartitionInfo each : asked(() -> consumer.partitionsFor(topic))) {
                partitions.add(new TopicPartition(topic, each.partition()));
            }
        }
        Map<TopicPartition, Long> begins = asked(() -> consumer.beginningOffsets(partitions));
        Map<TopicPartition, Long> ends = asked(() -> consumer.endOffsets(partitions));
        Map<TopicPartition, OffsetRange> ranges = sorted();
        for (TopicPartition partition : partitions) {
            long begin = begins.get(partition);
            ranges.put(partition, new OffsetRange(begin, Math.max(begin, ends.get(partition))));
        }
        return ranges;
    }

    /**
     * Shortens ranges so that each begins at the start point.
     *
     * @param count with {@link StartPoint.Latest}, how many offsets to leave of all ranges together
     */
    public Map<TopicPartition, OffsetRange> from(StartPoint start, long count, Map<TopicPartition, OffsetRange> ranges)
            throws ToolException, InterruptedException {
        if (start instanceof StartPoint.Latest) {
            return last(count, ranges);
        }
        Map<TopicPartition, Long> times =
                start instanceof StartPoint.AtTime at ? offsets(at, ranges.keySet()) : Map.of();
        Map<TopicPartition, OffsetRange> shortened = sorted();
        ranges.forEach((partition, range) -> {
            long wanted = start instanceof StartPoint.AtOffset at
                    ? at.offset()
                    : start instanceof StartPoint.AtTime ? times.getOrDefault(partition, range.to()) : range.from();
            long from = Math.min(range.to(), Math.max(range.from(), wanted));
            shortened.put(partition, new OffsetRange(from, range.to()));
        });
        return shortened;
    }

    private Map<TopicPartition, Long> offsets(StartPoint.AtTime at, Set<TopicPartition> partitions)
            throws ToolException, InterruptedException {
        Map<TopicPartition, Long> wanted = new HashMap<>();
        partitions.forEach(partition -> wanted.put(partition, at.time().toEpochMilli()));
        Map<TopicPartition, OffsetAndTimestamp> found = asked(() -> consumer.offsetsForTimes(wanted));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        found.forEach((partition, offset) -> {
            if (offset != null) {
                offsets.put(partition, offset.offset());
            }
        });
        return offsets;
    }

    /** Equal shares, but what one partition does not have goes to the others. */
    static Map<TopicPartition, OffsetRange> last(long count, Map<TopicPartition, OffsetRange> ranges) {
        List<TopicPartition> shortest = new ArrayList<>(ranges.keySet());
        shortest.sort((a, b) -> Long.compare(ranges.get(a).size(), ranges.get(b).size()));
        Map<TopicPartition, OffsetRange> shortened = sorted();
        long left = count;
        for (int i = 0; i < shortest.size(); i++) {
            int others = shortest.size() - i;
            OffsetRange range = ranges.get(shortest.get(i)).last((left + others - 1) / others);
            shortened.put(shortest.get(i), range);
            left -= range.size();
        }
        return shortened;
    }

    /**
     * Reads these ranges to their ends, partition by partition in the order in which Kafka gives them.
     *
     * @return whether the visitor has seen all of them
     */
    public boolean read(Map<TopicPartition, OffsetRange> ranges, Visitor visitor)
            throws ToolException, InterruptedException {
        Set<TopicPartition> open = new HashSet<>();
        ranges.forEach((partition, range) -> {
            if (range.size() > 0) {
                open.add(partition);
            }
        });
        consumer.assign(open);
        open.forEach(partition -> consumer.seek(partition, ranges.get(partition).from()));
        long heard = System.nanoTime();
        while (!open.isEmpty()) {
            ConsumerRecords<byte[], byte[]> polled = asked(() -> consumer.poll(POLL));
            for (ConsumerRecord<byte[], byte[]> message : polled) {
                TopicPartition partition = new TopicPartition(message.topic(), message.partition());
                if (message.offset() < ranges.get(partition).to() && !visitor.visit(message)) {
                    return false;
                }
            }
            Set<TopicPartition> ended = new HashSet<>();
            for (TopicPartition partition : open) {
                if (asked(() -> consumer.position(partition))
                        >= ranges.get(partition).to()) {
                    ended.add(partition);
                }
            }
            if (open.removeAll(ended) || !polled.isEmpty()) {
                heard = System.nanoTime();
                consumer.assign(open);
            } else if (System.nanoTime() - heard > SILENCE.toNanos()) {
                throw new ToolException("Kafka at " + servers + " has delivered nothing of "
                        + open.iterator().next() + " for " + SILENCE.toSeconds() + " s");
            }
        }
        return true;
    }

    private <T> T asked(Supplier<T> question) throws ToolException, InterruptedException {
        try {
            return question.get();
        } catch (InterruptException e) {
            Thread.interrupted();
            throw (InterruptedException) new InterruptedException().initCause(e);
        } catch (TimeoutException e) {
            throw new ToolException("Kafka at " + servers + " does not answer: " + e.getMessage(), e);
        } catch (KafkaException e) {
            throw new ToolException("Kafka at " + servers + " refuses: " + e.getMessage(), e);
        }
    }

    private static Map<TopicPartition, OffsetRange> sorted() {
        return new TreeMap<>((a, b) -> a.topic().equals(b.topic())
                ? Integer.compare(a.partition(), b.partition())
                : a.topic().compareTo(b.topic()));
    }

    @Override
    public void close() {
        boolean interrupted = Thread.interrupted(); // or the consumer would not close
        consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(CLOSE));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
