package io.tidegate.connect.elasticsearch.settings;

/** Which product the server is. */
public enum ServerProduct {
    /** What it says itself. */
    AUTO,
    ELASTICSEARCH,
    OPENSEARCH
}
