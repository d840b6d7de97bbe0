package io.tidegate.connect.elasticsearch.client;

import io.tidegate.connect.elasticsearch.client.tls.CertificateExpiry;
import java.util.Optional;

/**
 * One HTTP request to one node of a cluster, whichever is next: it never retries. Any thread. It keeps the HTTP library
 * out of all other packages.
 */
public interface ElasticsearchClient extends AutoCloseable {
    /** Sends a request; a failure reaches the thread that waits for the response. */
    PendingResponse send(Request request);

    /** Asks which server answers, of whatever product; the response is for {@link #learn}. */
    PendingResponse askForServer();

    /**
     * Remembers which server answers, from the response to {@link #askForServer}, if that tells.
     *
     * @return whether it is known now and was not before
     */
    boolean learn(Response root);

    /** Which server answers, once it is known. */
    Optional<Server> server();

    /**
     * The server has refused a request for its credentials: the next one gets others, if a provider gives them.
     *
     * @return whether the next request may have others
     */
    default boolean forgetCredentials() {
        return false;
    }

    /** The connections as they are now. */
    ConnectionCounts connections();

    /** When the certificates in use expire. */
    CertificateExpiry certificates();

    @Override
    void close();
}
