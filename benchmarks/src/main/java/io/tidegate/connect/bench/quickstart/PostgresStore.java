package io.tidegate.connect.bench.quickstart;

import io.tidegate.connect.testkit.PostgresServer;
import io.tidegate.connect.testkit.Server;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** PostgreSQL and the table {@code tides}; holds one connection from {@link #prepare} on. */
final class PostgresStore implements Store {
    private static final String APPLICATION = "tidegate-quickstart";

    /** The unique constraint is what the sink's {@code insert.mode=ignore} relies on after a redelivery. */
    private static final String TABLE = """
            CREATE TABLE tides (
              doc jsonb NOT NULL,
              kafka_topic text,
              kafka_partition int,
              kafka_offset bigint,
              UNIQUE (kafka_topic, kafka_partition, kafka_offset)
            )""";

    /** The end of each partition's range in the unique index: four look-ups, however many rows there are. */
    private static final String ARRIVED = """
            SELECT coalesce(sum(last + 1), 0)
            FROM generate_series(0, %d) AS p(partition),
              LATERAL (SELECT max(kafka_offset) AS last FROM tides
                       WHERE kafka_topic = '%s' AND kafka_partition = p.partition) AS ends""";

    private static final String CONNECTIONS = "SELECT count(*) FROM pg_stat_activity"
            + " WHERE backend_type = 'client backend' AND application_name <> '" + APPLICATION + "'";

    private static final String DUPLICATES = """
            SELECT coalesce(sum(found.n - 1), 0) + coalesce(sum(1) FILTER (WHERE NOT produced), 0)
            FROM (SELECT count(*) AS n, coalesce(kafka_offset < ends.next, false) AS produced
                  FROM tides LEFT JOIN (VALUES %s) AS ends(partition, next) ON kafka_partition = ends.partition
                  GROUP BY kafka_topic, kafka_partition, kafka_offset, ends.next) AS found""";

    private static final String HIGHEST_TIDES = """
            SELECT doc->>'name' AS station, max((doc->'level')::numeric) AS metres
            FROM tides
            WHERE jsonb_typeof(doc->'level') = 'number'
            GROUP BY station ORDER BY metres DESC LIMIT 5""";

    private final PostgresServer server;
    private final String arrived;
    private Connection connection;

    PostgresStore(int partitions) {
        server = PostgresServer.builder().build();
        arrived = ARRIVED.formatted(partitions - 1, Plan.TOPIC);
    }

    @Override
    public Sink sink() {
        return Sink.JSONB;
    }

    @Override
    public Server server() {
        return server;
    }

    @Override
    public void prepare() throws QuickstartException {
        Properties properties = new Properties();
        properties.setProperty("user", server.user());
        properties.setProperty("password", server.password());
        properties.setProperty("ApplicationName", APPLICATION);
        try {
            connection = DriverManager.getConnection(server.jdbcUrl(), properties);
            try (Statement statement = connection.createStatement()) {
                statement.execute(TABLE);
            }
        } catch (SQLException e) {
            throw failed("creating the table", e);
        }
    }

    @Override
    public Map<String, String> environment() {
        return Map.of(
                "TIDEGATE_POSTGRES_URL", server.jdbcUrl(),
                "TIDEGATE_POSTGRES_USER", server.user(),
                "TIDEGATE_POSTGRES_PASSWORD", server.password());
    }

    @Override
    public long arrived() throws QuickstartException {
        return number(arrived);
    }

    @Override
    public int connections() throws QuickstartException {
        return (int) number(CONNECTIONS);
    }

    @Override
    public long count() throws QuickstartException {
        return number("SELECT count(*) FROM tides");
    }

    @Override
    public long duplicates(Produced produced) throws QuickstartException {
        List<String> ends = new ArrayList<>();
        for (int partition = 0; partition < produced.perPartition().size(); partition++) {
            ends.add("(" + partition + ", " + produced.perPartition().get(partition) + ")");
        }
        return number(DUPLICATES.formatted(String.join(", ", ends)));
    }

    @Override
    public Example highestTides() throws QuickstartException {
        List<String> answer = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(HIGHEST_TIDES)) {
            while (rows.next()) {
                answer.add(Example.row(String.valueOf(rows.getString(1)), rows.getDouble(2)));
            }
        } catch (SQLException e) {
            throw failed("the example query", e);
        }
        return new Example(HIGHEST_TIDES, answer);
    }

    @Override
    public String address() {
        return "psql 'postgresql://" + server.user() + ":" + server.password() + "@" + server.host() + ":"
                + server.port() + "/" + server.database() + "'";
    }

    @Override
    public void close() {
        try (Server closing = server) {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            // The server goes with it.
        }
    }

    private long number(String query) throws QuickstartException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw failed("a query", e);
        }
    }

    private QuickstartException failed(String what, SQLException e) {
        return new QuickstartException(
                server + ": " + what + " failed: " + e.getMessage() + " (SQLSTATE " + e.getSQLState() + "); log: "
                        + server.log(),
                e);
    }
}
