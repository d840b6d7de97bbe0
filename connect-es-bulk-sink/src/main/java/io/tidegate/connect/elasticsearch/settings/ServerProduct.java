package io.tidegate.connect.elasticsearch.settings;

/** Which product the server is. */
public enum ServerProduct {
    ELASTICSEARCH,
    OPENSEARCH,
    /** A collection of Amazon OpenSearch Serverless whose documents may have ids: one of the type search. */
    OPENSEARCH_SERVERLESS,
    /** A collection of Amazon OpenSearch Serverless whose documents have no ids: of the types time series and vector search. */
    OPENSEARCH_SERVERLESS_TIME_SERIES;

    /** Whether it takes only the parameters that OpenSearch has. */
    public boolean isOpenSearch() {
        return this != ELASTICSEARCH;
    }

    /** Whether the server has no API to ask for itself, its nodes, its users and its pipelines. */
    public boolean isServerless() {
        return this == OPENSEARCH_SERVERLESS || this == OPENSEARCH_SERVERLESS_TIME_SERIES;
    }

    /** Whether documents may have ids that the sink chooses. */
    public boolean hasIds() {
        return this != OPENSEARCH_SERVERLESS_TIME_SERIES;
    }
}
