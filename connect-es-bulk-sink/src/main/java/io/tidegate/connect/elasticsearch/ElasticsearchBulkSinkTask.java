package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.common.task.DocumentSinkTask;

/** A task of {@link ElasticsearchBulkSinkConnector}. */
public final class ElasticsearchBulkSinkTask extends DocumentSinkTask {
    public ElasticsearchBulkSinkTask() {
        super(new ElasticsearchTargetType());
    }
}
