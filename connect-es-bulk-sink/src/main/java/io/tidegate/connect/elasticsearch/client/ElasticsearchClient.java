package io.tidegate.connect.elasticsearch.client;

import io.tidegate.connect.elasticsearch.client.tls.CertificateExpiry;
import java.util.Optional;

/**
 * One HTTP request to one node of a cluster, whichever is next: it never retries. Any thread. Keeps the library that
 * speaks HTTP out of everything else.
 */
public interface ElasticsearchClient extends AutoCloseable {
    /** Sends a request; what goes wrong reaches whoever waits for the answer. */
    PendingResponse send(Request request);

    /** Asks what answers, whatever that may be; the answer is for {@link #learn}. */
    PendingResponse askForServer();

    /** Takes over what answers, from the answer to {@link #askForServer}; whether that is news. */
    boolean learn(Response root);

    /** What answers, once it is known. */
    Optional<Server> server();

    /** The connections as they are now. */
    ConnectionCounts connections();

    /** When the certificates end that are in use. */
    CertificateExpiry certificates();

    @Override
    void close();
}
