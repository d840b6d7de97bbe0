package io.tidegate.connect.testkit.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.testkit.process.Ports;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

final class PatroniNodeIT {
    @Test
    void takesItsServerAlongAndFindsItsDataAgain() throws Exception {
        if (!Patroni.isInstalled()) {
            String reason = "Patroni, etcd or PostgreSQL is not installed";
            System.err.println("SKIPPED PatroniNodeIT: " + reason);
            Assumptions.abort(reason);
        }
        try (Patroni cluster = Patroni.ofNodes(1).start()) {
            PatroniNode node = cluster.awaitLeader();
            execute(node, "CREATE TABLE tide AS SELECT 1 AS level");

            node.kill();
            assertThat(Ports.accepts(node.port())).isFalse();
            node.start();
            cluster.awaitLeader();
            execute(node, "INSERT INTO tide VALUES (2)");
            node.stop();
            assertThat(Ports.accepts(node.port())).isFalse();

            node.start();
            assertThat(rows(cluster.awaitLeader())).isEqualTo(2);
        }
    }

    private static void execute(PatroniNode node, String sql) throws SQLException {
        try (Connection connection = node.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int rows(PatroniNode node) throws SQLException {
        try (Connection connection = node.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM tide")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
