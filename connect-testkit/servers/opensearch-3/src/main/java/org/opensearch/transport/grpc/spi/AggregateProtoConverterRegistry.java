package org.opensearch.transport.grpc.spi;

import org.opensearch.protobufs.Aggregate;
import org.opensearch.search.aggregations.InternalAggregation;

/** Converts results of aggregations of all kinds. */
public interface AggregateProtoConverterRegistry {
    Aggregate toProto(InternalAggregation aggregation);
}
