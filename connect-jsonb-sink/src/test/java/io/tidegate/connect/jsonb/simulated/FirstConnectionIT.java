package io.tidegate.connect.jsonb.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.jsonb.JsonbSinkConnector;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool's first connection breaks at any moment while it is opened; the pool must open another one. */
final class FirstConnectionIT {
    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();

    @BeforeAll
    static void start() {
        SERVER.start();
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void opensAnotherOne(int piece) throws SQLException {
        try (CuttingProxy proxy = new CuttingProxy(SERVER.port())) {
            Map<String, String> props = Map.of(
                    "name",
                    "first",
                    "connection.url",
                    "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/" + SERVER.database(),
                    "connection.user",
                    SERVER.user(),
                    "connection.password",
                    SERVER.password());
            AbstractConfig config = new AbstractConfig(new JsonbSinkConnector().config(), props, false);
            try (PoolLease lease = new PoolLease(ConnectionSettings.from(config))) {
                proxy.cutAt(piece);
                try (Connection connection = lease.borrow()) {
                    assertThat(connection.isClosed()).isFalse();
                }
            }
        }
    }
}
