package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.common.task.DocumentSinkConnector;
import org.apache.kafka.connect.connector.Task;

/** Kafka Connect sink that writes JSON documents to Elasticsearch through the Bulk API. */
public final class ElasticsearchBulkSinkConnector extends DocumentSinkConnector {
    public ElasticsearchBulkSinkConnector() {
        super(new ElasticsearchTargetType());
    }

    @Override
    public Class<? extends Task> taskClass() {
        return ElasticsearchBulkSinkTask.class;
    }
}
