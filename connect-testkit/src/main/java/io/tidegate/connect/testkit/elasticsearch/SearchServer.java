package io.tidegate.connect.testkit.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.testkit.process.ServerException;
import java.net.URI;

/** A server with the Bulk API. */
public interface SearchServer extends Server {
    /** The root of the HTTP interface, for clients in this JVM. Does not change after the first start. */
    URI url();

    /** The root of the HTTP interface, for a Connect worker of the same {@code Servers}. */
    default URI workerUrl() {
        return url();
    }

    /**
     * Sends a request as a superuser and returns the response.
     *
     * @param path with a leading slash and with its parameters
     * @param json the body, or an empty string for no body
     * @throws ServerException if there is no response within a minute or its status is not 2xx
     */
    JsonNode request(String method, String path, String json);
}
