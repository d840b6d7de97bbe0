package io.tidegate.connect.testkit.elasticsearch;

import java.nio.file.Path;

/** An Elasticsearch node with users and TLS. */
public interface Elasticsearch extends SearchServer {
    /** The name of a superuser. */
    String username();

    /** The superuser's random password. */
    String password();

    /** The certificate of the authority that issued the node's certificate, PEM. */
    Path caCertificate();
}
