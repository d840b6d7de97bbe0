package io.tidegate.connect.jsonb;

import io.tidegate.connect.bench.micro.ChangeEventBenchmark;
import io.tidegate.connect.common.spi.Target;
import java.util.Map;

/** Maps change events to rows, as the task thread does, with the key's column and the position in the source's log. */
public class ChangedRowBenchmark extends ChangeEventBenchmark {
    @Override
    protected Target target(Map<String, String> settings) {
        if (settings.containsKey("value.envelope")) {
            settings.put("metadata.columns", "source_position");
        }
        settings.putAll(Map.of(
                "connection.url", "jdbc:postgresql://127.0.0.1/postgres",
                "insert.mode", "upsert",
                "pk.mode", "record_key",
                "pk.fields", "id"));
        return new PostgresTargetType().open(settings);
    }
}
