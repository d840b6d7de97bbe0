package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.bench.micro.MappingBenchmark;
import io.tidegate.connect.common.spi.Target;
import java.util.Map;

/** Maps records to documents, as the task thread does: index, id from the coordinates, and JSON. */
public class DocumentMappingBenchmark extends MappingBenchmark {
    @Override
    protected Target target() {
        return new ElasticsearchTargetType()
                .open(Map.of("connection.url", "http://127.0.0.1:9200", "key.ignore", "true"));
    }
}
