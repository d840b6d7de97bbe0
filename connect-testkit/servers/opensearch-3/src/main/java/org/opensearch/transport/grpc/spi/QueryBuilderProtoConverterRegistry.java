package org.opensearch.transport.grpc.spi;

import org.opensearch.index.query.QueryBuilder;
import org.opensearch.protobufs.QueryContainer;

/** Converts queries of all kinds. */
public interface QueryBuilderProtoConverterRegistry {
    QueryBuilder fromProto(QueryContainer query);
}
