package org.opensearch.transport.grpc.spi;

import org.opensearch.protobufs.AggregationContainer;
import org.opensearch.search.aggregations.AggregationBuilder;

/** Converts one kind of aggregation. */
public interface AggregationBuilderProtoConverter {
    AggregationContainer.AggregationContainerCase getHandledAggregationCase();

    AggregationBuilder fromProto(String name, AggregationContainer aggregation);

    default void setRegistry(AggregationBuilderProtoConverterRegistry registry) {}
}
