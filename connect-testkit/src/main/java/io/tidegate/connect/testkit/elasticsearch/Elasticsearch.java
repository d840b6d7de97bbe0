package io.tidegate.connect.testkit.elasticsearch;

import java.nio.file.Path;

/** An Elasticsearch node with users and TLS. */
public interface Elasticsearch extends SearchServer {
    /** A superuser. */
    String username();

    /** Random. */
    String password();

    /** The authority of the node's certificate, PEM. */
    Path caCertificate();
}
