package io.tidegate.connect.testkit.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.process.Server;
import java.util.List;
import java.util.Map;

/** The real server that a sink writes to. The records of the scenarios are objects with a field n. */
public interface Store {
    /** The running server, which tests kill and restart. */
    Server server();

    /** The worker's environment variables with the server's address. It may be on another network. */
    Map<String, String> environment();

    /**
     * The sink's settings, without topics, tasks and converters. They take addresses from the environment. They
     * identify rows or documents by their coordinates in Kafka, so that a redelivery creates no duplicates.
     */
    Map<String, String> sinkConfig();

    /** Settings that limit the wait for a response of the server to one second. */
    Map<String, String> impatience();

    /** Creates the table or index for this topic, unless the sink creates it. */
    void create(String topic);

    /** Removes every row or document of this topic. */
    void clear(String topic);

    /** How many rows or documents are stored for this topic. */
    long count(String topic);

    /** The values of the field n of everything stored for this topic, sorted, with duplicates. */
    List<Long> numbers(String topic);

    /** The only stored object of this topic with this value in the field n, as the store returns it. */
    JsonNode object(String topic, long n);
}
