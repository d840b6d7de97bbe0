package io.tidegate.connect.jsonb.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.TableCreation;
import io.tidegate.connect.testkit.postgres.Patroni;
import io.tidegate.connect.testkit.scenarios.Skip;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** LZ4 on a server of the system, which Patroni starts. The embedded servers are built without LZ4. */
final class CompressionIT {
    private static Patroni patroni;
    private static PostgresStore store;

    @BeforeAll
    static void start() {
        if (!Patroni.isInstalled()) {
            Skip.loudly(CompressionIT.class, "no Patroni, etcd or PostgreSQL is installed");
        }
        patroni = Patroni.ofNodes(1).start();
        store = new PostgresStore(patroni.awaitLeader());
    }

    @AfterAll
    static void close() {
        if (patroni != null) {
            patroni.close();
        }
    }

    @Test
    void aTableThatTheSinkCreatesCompressesItsDocumentsWithLz4() throws SQLException {
        Map<String, String> props = store.connected(Map.of("metadata.columns", "topic"));
        AbstractConfig config = new AbstractConfig(new PostgresTargetType().config(), props, false);
        try (Connection connection = patroni.awaitLeader().connect()) {
            new TableCreation(RowSettings.from(config), InsertSettings.from(config))
                    .create(connection, List.of("created"));
        }

        assertThat(store.column("SELECT attname || '=' || attcompression::text FROM pg_attribute"
                        + " WHERE attrelid = 'created'::regclass AND attnum > 0 ORDER BY attnum"))
                .containsExactly("doc=l", "__connect_topic=");
    }
}
