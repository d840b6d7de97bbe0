package io.tidegate.connect.jsonb;

import io.tidegate.connect.common.task.DocumentSinkTask;

/** One task of a {@link JsonbSinkConnector}. */
public final class JsonbSinkTask extends DocumentSinkTask {
    public JsonbSinkTask() {
        super(new PostgresTargetType());
    }
}
