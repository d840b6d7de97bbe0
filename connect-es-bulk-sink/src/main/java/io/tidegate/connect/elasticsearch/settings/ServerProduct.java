package io.tidegate.connect.elasticsearch.settings;

/** Which product the server is. */
public enum ServerProduct {
    /** The product that the server names. */
    AUTO,
    ELASTICSEARCH,
    OPENSEARCH
}
