package io.tidegate.connect.testkit.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.process.Server;
import java.util.List;
import java.util.Map;

/** A real server that a sink writes to, as the scenarios see it. The records they write are objects with a field n. */
public interface Store {
    /** The running server, to be killed and restarted. */
    Server server();

    /** What the worker needs in its environment to reach the server; the worker may have another network, and other files. */
    Map<String, String> environment();

    /**
     * The sink's settings without topics, tasks and converters: addresses from the environment, and rows or documents
     * that are identified by their coordinates in Kafka, so that a redelivery does not double them.
     */
    Map<String, String> sinkConfig();

    /** Settings with which the sink waits for an answer of the server for a second and no longer. */
    Map<String, String> impatience();

    /** Makes the table or index that the records of this topic go to, if the sink does not make it itself. */
    void create(String topic);

    /** Removes every row or document of this topic. */
    void clear(String topic);

    /** The field n of everything that is stored for this topic, sorted, repetitions included. */
    List<Long> numbers(String topic);

    /** The one stored object of this topic whose field n has this value, as the store gives it back. */
    JsonNode object(String topic, long n);
}
