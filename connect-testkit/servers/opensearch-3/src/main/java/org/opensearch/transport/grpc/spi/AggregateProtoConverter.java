package org.opensearch.transport.grpc.spi;

import org.opensearch.protobufs.Aggregate;
import org.opensearch.search.aggregations.InternalAggregation;

/** Converts one kind of result of an aggregation. */
public interface AggregateProtoConverter {
    Class<? extends InternalAggregation> getHandledAggregationType();

    Aggregate.Builder toProto(InternalAggregation aggregation);

    default void setRegistry(AggregateProtoConverterRegistry registry) {}
}
