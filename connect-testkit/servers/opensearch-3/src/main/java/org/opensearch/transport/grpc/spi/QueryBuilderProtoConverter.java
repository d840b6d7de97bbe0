package org.opensearch.transport.grpc.spi;

import org.opensearch.index.query.QueryBuilder;
import org.opensearch.protobufs.QueryContainer;

/** Converts one kind of query. */
public interface QueryBuilderProtoConverter {
    QueryContainer.QueryContainerCase getHandledQueryCase();

    QueryBuilder fromProto(QueryContainer query);

    default void setRegistry(QueryBuilderProtoConverterRegistry registry) {}
}
