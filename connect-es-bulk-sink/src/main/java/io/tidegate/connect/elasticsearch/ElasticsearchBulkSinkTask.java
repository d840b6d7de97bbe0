package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.common.task.DocumentSinkTask;
import io.tidegate.connect.elasticsearch.settings.BulkSizeBytes;
import java.util.Map;

/** A task of {@link ElasticsearchBulkSinkConnector}. */
public final class ElasticsearchBulkSinkTask extends DocumentSinkTask {
    public ElasticsearchBulkSinkTask() {
        super(new ElasticsearchTargetType());
    }

    @Override
    public void start(Map<String, String> props) {
        super.start(BulkSizeBytes.translate(props));
    }
}
