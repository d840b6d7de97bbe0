package io.tidegate.connect.tools.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.redrive.LetterHeaders;
import io.tidegate.connect.tools.records.OffsetRange;
import io.tidegate.connect.tools.records.TopicReader;
import io.tidegate.connect.tools.redrive.LetterReaders;
import io.tidegate.connect.tools.redrive.RedrivenLetters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A topic of records that the connector refused.
 *
 * @param topic its name; empty if there is none
 * @param parking the name of the topic to which redrives move letters; perhaps this one
 * @param connector whose letters count
 * @param isStoredOnce whether a redrive of a record that is stored changes nothing
 * @param admin the settings of a client that reads the offsets of redrives
 */
record DeadLetterTopic(
        String topic, String parking, String connector, boolean isStoredOnce, Map<String, Object> admin) {
    static final String TOPIC = "errors.deadletterqueue.topic.name";
    private static final String CONNECTOR = LetterHeaders.PREFIX + "connector.name";

    /** More of them are not read: each is kept in memory. */
    private static final long MOST = 1_000_000;

    DeadLetterTopic {
        requireNonNull(topic, "topic");
        requireNonNull(parking, "parking");
        requireNonNull(connector, "connector");
        admin = Map.copyOf(admin);
    }

    /** Finds the places of letters that are not redriven, this connector's and those of others; none without headers. */
    void find(TopicReader reader, Findings findings) throws ToolException, InterruptedException {
        if (topic.isEmpty()) {
            return;
        }
        if (!reader.exists(topic)) {
            if (!topic.equals(parking)) {
                findings.lettersUnread("the dead letter topic " + topic
                        + " does not exist, or this user may not describe it: records in it count as missing");
            }
            return;
        }
        Map<TopicPartition, OffsetRange> all = reader.ranges(List.of(topic));
        RedrivenLetters redriven = RedrivenLetters.of(admin, connector, topic, all);
        if (size(redriven.left()) > MOST) {
            findings.lettersUnread("the dead letter topic " + topic + " has more than " + MOST
                    + " records that are not redriven and was not read: records in it count as missing");
            return;
        }
        // A redrive creates the topic for parking first, so without one there was none.
        boolean mayBeForgotten = redriven.areUnknown() && reader.exists(parking);
        Set<String> places = new HashSet<>();
        Set<String> doubtful = new HashSet<>();
        Readers readers = new Readers(findings, all.keySet());
        Map<String, Optional<RedrivenLetters>> ofOthers = new HashMap<>();
        // This connector's redrive passes over letters of others that are open.
        boolean isAllRead = !isStoredOnce && size(all) <= MOST;
        if (!isStoredOnce && !isAllRead && size(redriven.left()) < size(all)) {
            findings.lettersUnread("the dead letter topic " + topic + " has more than " + MOST
                    + " records, so those that a redrive of " + connector
                    + " has passed were not read: letters of other connectors may be among them");
        }
        boolean unused = reader.read(isAllRead ? all : redriven.left(), letter -> {
            List<String> connectors = headers(letter, CONNECTOR);
            int refusal = connectors.indexOf(connector);
            if (refusal >= 0 && redriven.has(letter)) {
                (mayBeForgotten || readers.mayHaveWritten(letter) ? doubtful : places).add(place(letter, refusal));
            } else if (refusal < 0 && !connectors.isEmpty() && !isStoredOnce) {
                String other = connectors.get(0);
                Optional<RedrivenLetters> ofOther = ofOthers.get(other);
                if (ofOther == null) {
                    ofOther = redriven(other, all);
                    ofOthers.put(other, ofOther);
                }
                if (ofOther.isEmpty() || ofOther.get().has(letter)) {
                    findings.letterOfAnother(place(letter, 0), other);
                }
            }
            return true;
        });
        findings.deadLetters(places, false);
        findings.deadLetters(doubtful, true);
    }

    /** Asks which groups have read letters, once there is a letter that they may have read. */
    private final class Readers {
        private final Findings findings;
        private final Set<TopicPartition> partitions;
        private Optional<LetterReaders> known = Optional.empty();

        Readers(Findings findings, Set<TopicPartition> partitions) {
            this.findings = findings;
            this.partitions = partitions;
        }

        /** Whether a redrive may have written it. That a connector may have done so is only noted. */
        boolean mayHaveWritten(ConsumerRecord<?, ?> letter) throws ToolException, InterruptedException {
            if (known.isEmpty()) {
                known = Optional.of(LetterReaders.of(admin, connector, topic, partitions));
                if (!known.get().unknown().isEmpty()) {
                    findings.note("whether a redrive or a connector has read letters of " + topic
                            + " is not known, because this user may not describe these groups: "
                            + String.join(", ", known.get().unknown()));
                }
            }
            for (String group : known.get().connectors(letter)) {
                findings.note("the consumer group " + group + " has read letters of " + topic
                        + ". Their records count as refused, but its connector may have written them, and they are not"
                        + " looked for");
            }
            return known.get().isDoubtful(letter);
        }
    }

    private static long size(Map<TopicPartition, OffsetRange> ranges) {
        return ranges.values().stream().mapToLong(OffsetRange::size).sum();
    }

    /** Empty if nothing tells, for a reason that is none of this connector's: all letters may be open then. */
    private Optional<RedrivenLetters> redriven(String other, Map<TopicPartition, OffsetRange> all)
            throws InterruptedException {
        try {
            return Optional.of(RedrivenLetters.of(admin, other, topic, all));
        } catch (ToolException e) {
            return Optional.empty();
        }
    }

    private static String place(ConsumerRecord<byte[], byte[]> letter, int refusal) {
        return header(letter, LetterHeaders.TOPIC, refusal) + "-" + header(letter, LetterHeaders.PARTITION, refusal)
                + "@" + header(letter, LetterHeaders.OFFSET, refusal);
    }

    /**
     * The header of a refusal. Each refusal adds one of each name. The connector's first one is of the record that it read:
     * before that, others may have refused it, if the connector reads their letters as records.
     */
    private static String header(ConsumerRecord<byte[], byte[]> letter, String name, int refusal) {
        List<String> values = headers(letter, name);
        return refusal < values.size() ? values.get(refusal) : "";
    }

    private static List<String> headers(ConsumerRecord<byte[], byte[]> letter, String name) {
        List<String> values = new ArrayList<>();
        letter.headers()
                .headers(name)
                .forEach(header -> values.add(header.value() == null ? "" : new String(header.value(), UTF_8)));
        return values;
    }
}
