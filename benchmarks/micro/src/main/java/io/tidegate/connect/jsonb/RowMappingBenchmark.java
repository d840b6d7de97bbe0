package io.tidegate.connect.jsonb;

import io.tidegate.connect.bench.micro.MappingBenchmark;
import io.tidegate.connect.common.spi.Target;
import java.util.Map;

/** Records become rows, as the task thread makes them: table, key, JSON looked through for what PostgreSQL does not take. */
public class RowMappingBenchmark extends MappingBenchmark {
    @Override
    protected Target target() {
        return new PostgresTargetType().open(Map.of("connection.url", "jdbc:postgresql://127.0.0.1/postgres"));
    }
}
