package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.tools.output.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * A file that says up to which offsets earlier audits have compared a connector with its store, so that the next one goes
 * on there. It is replaced as a whole. One thread uses it.
 */
final class ComparedFile {
    private static final String PARTITIONS = "compared";

    private final Path file;
    private final String connector;
    private final String store;
    private final Map<String, String> topicIds;
    private final Map<TopicPartition, Long> next = new HashMap<>();

    private ComparedFile(Path file, String connector, String store, Map<String, String> topicIds) {
        this.file = requireNonNull(file, "file");
        this.connector = requireNonNull(connector, "connector");
        this.store = requireNonNull(store, "store");
        this.topicIds = Map.copyOf(topicIds);
    }

    /**
     * Reads the file, if there is one.
     *
     * @param store describes it
     * @param topicIds the topics that exist now
     * @throws ToolException if the file cannot be read, or is of another connector, store or topic
     */
    static ComparedFile open(Path file, String connector, String store, Map<String, String> topicIds)
            throws ToolException {
        ComparedFile compared = new ComparedFile(file, connector, store, topicIds);
        if (Files.exists(file)) {
            try {
                compared.read(new ObjectMapper().readTree(file.toFile()));
            } catch (IOException e) {
                throw new ToolException("cannot read " + file + ": " + e.getMessage(), e);
            }
        }
        return compared;
    }

    private void read(JsonNode json) throws ToolException {
        require("connector", json, connector);
        require("store", json, store);
        for (JsonNode each : json.path(PARTITIONS)) {
            String topic = each.path("topic").asText();
            if (topicIds.containsKey(topic) && !each.path("topic_id").asText().equals(topicIds.get(topic))) {
                throw new ToolException(file + " is of an earlier topic " + topic
                        + ", which was created again since: delete the file, and everything is compared");
            }
            next.put(
                    new TopicPartition(topic, each.path("partition").asInt()),
                    each.path("next").asLong());
        }
    }

    private void require(String name, JsonNode json, String value) throws ToolException {
        String known = json.path(name).asText();
        if (!known.equals(value)) {
            throw new ToolException(file + " is not of this " + name + " (" + value + ") but of '" + known
                    + "': name another file, or delete it");
        }
    }

    /** The first offset that was not compared; 0 if nothing was. */
    long next(TopicPartition partition) {
        return next.getOrDefault(partition, 0L);
    }

    /**
     * Stores that all offsets before this one are compared.
     *
     * @throws ToolException if the file cannot be written
     */
    void compared(TopicPartition partition, long end) throws ToolException {
        next.put(partition, end);
        ObjectNode json = Json.object().put("connector", connector).put("store", store);
        next.forEach((each, offset) -> json.withArray(PARTITIONS)
                .addObject()
                .put("topic", each.topic())
                .put("topic_id", topicIds.getOrDefault(each.topic(), ""))
                .put("partition", each.partition())
                .put("next", offset));
        Path written = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(written, json.toPrettyString() + "\n");
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new ToolException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
