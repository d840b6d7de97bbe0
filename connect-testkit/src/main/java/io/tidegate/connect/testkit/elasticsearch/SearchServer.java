package io.tidegate.connect.testkit.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.testkit.process.ServerException;
import java.net.URI;

/** A server with the Bulk API. */
public interface SearchServer extends Server {
    /** Where its HTTP interface is for this JVM; fixed once the node has started. */
    URI url();

    /** As a Connect worker beside it reaches it. */
    default URI workerUrl() {
        return url();
    }

    /**
     * Sends a request as a user who may do everything, and reads its answer.
     *
     * @param path with a leading slash, parameters included
     * @param json the body, or empty for none
     * @throws ServerException when there is no answer within a minute or its status is not 2xx; with the answer
     */
    JsonNode request(String method, String path, String json);
}
