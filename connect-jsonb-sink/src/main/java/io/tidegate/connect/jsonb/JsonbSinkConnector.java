package io.tidegate.connect.jsonb;

import io.tidegate.connect.common.task.DocumentSinkConnector;
import org.apache.kafka.connect.connector.Task;

/** Kafka Connect sink that writes JSON records as rows of a PostgreSQL table with a {@code jsonb} column. */
public final class JsonbSinkConnector extends DocumentSinkConnector {
    public JsonbSinkConnector() {
        super(new PostgresTargetType());
    }

    @Override
    public Class<? extends Task> taskClass() {
        return JsonbSinkTask.class;
    }
}
