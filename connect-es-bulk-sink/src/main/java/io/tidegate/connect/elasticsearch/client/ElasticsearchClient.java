package io.tidegate.connect.elasticsearch.client;

/**
 * One HTTP request to one node of a cluster, whichever is next: it never retries. Any thread. Keeps the library that
 * speaks HTTP out of everything else.
 */
public interface ElasticsearchClient extends AutoCloseable {
    /** Sends a request; what goes wrong reaches whoever waits for the answer. */
    PendingAnswer send(Call call);

    /** When the certificates end that are in use. */
    CertificateExpiry certificates();

    @Override
    void close();
}
