package io.tidegate.connect.tools.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.common.redrive.LetterHeaders;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * A dead letter without its content.
 *
 * @param partition of the dead letter topic
 * @param offset in that partition
 * @param origin where the record was first read; empty if the letter does not say so
 * @param connectors those that refused it, in order; none if the letter does not say so
 * @param refusals how often it was refused
 * @param kind of the last refusal, {@code stage} in lower case if a converter or transform failed
 * @param reason of the last refusal, without the facts
 * @param facts of the last refusal and the last header of each name, as texts
 * @param time of the record
 */
record Letter(
        TopicPartition partition,
        long offset,
        Optional<Origin> origin,
        List<String> connectors,
        int refusals,
        String kind,
        String reason,
        Map<String, String> facts,
        Instant time) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CONNECTOR = LetterHeaders.PREFIX + "connector.name";
    private static final String STAGE = LetterHeaders.PREFIX + "stage";
    private static final String FACTS = "{\"kind\":";
    private static final String UNKNOWN = "unknown";

    /** Where a record was first read. */
    record Origin(TopicPartition partition, long offset) {
        Origin {
            requireNonNull(partition, "partition");
        }
    }

    Letter {
        requireNonNull(partition, "partition");
        requireNonNull(origin, "origin");
        connectors = List.copyOf(connectors);
        requireNonNull(kind, "kind");
        requireNonNull(reason, "reason");
        facts = Map.copyOf(facts);
        requireNonNull(time, "time");
    }

    static Letter of(ConsumerRecord<byte[], byte[]> raw) {
        Map<String, String> first = new HashMap<>();
        Map<String, String> last = new HashMap<>();
        List<String> connectors = new ArrayList<>();
        int refusals = 0;
        for (Header header : raw.headers()) {
            String text = header.value() == null ? "" : new String(header.value(), UTF_8);
            first.putIfAbsent(header.key(), text);
            last.put(header.key(), text);
            refusals += header.key().equals(LetterHeaders.TOPIC) ? 1 : 0;
            if (header.key().equals(CONNECTOR)) {
                connectors.add(text);
            }
        }
        String message = last.getOrDefault(LetterHeaders.MESSAGE, "");
        int at = message.lastIndexOf(FACTS);
        String kind = last.getOrDefault(STAGE, UNKNOWN).toLowerCase(Locale.ROOT);
        Map<String, String> facts = new HashMap<>();
        last.forEach((name, text) -> facts.put(
                name.startsWith(LetterHeaders.PREFIX) ? name.substring(LetterHeaders.PREFIX.length()) : name, text));
        Map<String, String> ofMessage = facts(at < 0 ? "" : message.substring(at));
        facts.putAll(ofMessage);
        return new Letter(
                new TopicPartition(raw.topic(), raw.partition()),
                raw.offset(),
                origin(first),
                connectors,
                refusals,
                ofMessage.getOrDefault("kind", kind),
                at < 0 ? message : message.substring(0, at).strip(),
                facts,
                Instant.ofEpochMilli(raw.timestamp()));
    }

    /** The connector that first refused it; empty if the letter does not say so. */
    String connector() {
        return connectors.isEmpty() ? "" : connectors.get(0);
    }

    private static Optional<Origin> origin(Map<String, String> headers) {
        try {
            return headers.containsKey(LetterHeaders.TOPIC)
                    ? Optional.of(new Origin(
                            new TopicPartition(
                                    headers.get(LetterHeaders.TOPIC),
                                    Integer.parseInt(headers.getOrDefault(LetterHeaders.PARTITION, ""))),
                            Long.parseLong(headers.getOrDefault(LetterHeaders.OFFSET, ""))))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Map<String, String> facts(String json) {
        Map<String, String> facts = new HashMap<>();
        try {
            for (Map.Entry<String, JsonNode> fact : JSON.readTree(json).properties()) {
                facts.put(fact.getKey(), fact.getValue().asText());
            }
        } catch (JsonProcessingException e) {
            facts.clear(); // the message was cut
        }
        return facts;
    }

    @Override
    public String toString() {
        return partition + "@" + offset;
    }
}
