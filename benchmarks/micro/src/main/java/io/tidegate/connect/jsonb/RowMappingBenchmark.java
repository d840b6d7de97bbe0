package io.tidegate.connect.jsonb;

import io.tidegate.connect.bench.micro.MappingBenchmark;
import io.tidegate.connect.common.spi.Target;
import java.util.Map;

/** Maps records to rows, as the task thread does: table, key, and JSON checked for what PostgreSQL rejects. */
public class RowMappingBenchmark extends MappingBenchmark {
    @Override
    protected Target target() {
        return new PostgresTargetType().open(Map.of("connection.url", "jdbc:postgresql://127.0.0.1/postgres"));
    }
}
