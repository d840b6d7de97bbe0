package org.opensearch.transport.grpc.spi;

import org.opensearch.protobufs.AggregationContainer;
import org.opensearch.search.aggregations.AggregationBuilder;

/** Converts aggregations of all kinds. */
public interface AggregationBuilderProtoConverterRegistry {
    AggregationBuilder fromProto(String name, AggregationContainer aggregation);
}
