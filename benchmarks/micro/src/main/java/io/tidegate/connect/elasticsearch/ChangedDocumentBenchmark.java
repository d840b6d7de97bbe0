package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.bench.micro.ChangeEventBenchmark;
import io.tidegate.connect.common.spi.Target;
import java.util.Map;

/** Maps change events to documents, as the task thread does, with an id from the key's column. */
public class ChangedDocumentBenchmark extends ChangeEventBenchmark {
    @Override
    protected Target target(Map<String, String> settings) {
        settings.put("connection.url", "http://127.0.0.1:9200");
        return new ElasticsearchTargetType().open(settings);
    }
}
