package io.tidegate.connect.jsonb;

import io.tidegate.connect.bench.micro.MicroBenchmark;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** Borrows and returns a connection, in 24 threads at once, like 24 tasks of a worker. */
@Threads(24)
public class PoolBorrowBenchmark extends MicroBenchmark {
    @Param({"4", "24"})
    public int connections;

    private final PostgresServer server = PostgresServer.builder().build();
    private PoolLease pool;

    @Setup
    public void open() {
        server.start();
        Map<String, String> props = Map.of(
                "connection.url", server.jdbcUrl(),
                "connection.user", server.user(),
                "connection.password", server.password(),
                "connection.pool.max.size", Integer.toString(connections));
        pool = new PoolLease(
                ConnectionSettings.from(new AbstractConfig(new PostgresTargetType().config(), props, false)));
    }

    @TearDown
    public void close() {
        pool.close();
        server.close();
    }

    @Benchmark
    public Object borrow() throws SQLException {
        try (Connection connection = pool.borrow()) {
            return connection;
        }
    }
}
