package io.tidegate.connect.jsonb;

import io.tidegate.connect.bench.micro.MicroBenchmark;
import io.tidegate.connect.bench.micro.Readings;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.CopyInsert;
import io.tidegate.connect.jsonb.sql.Dialect;
import io.tidegate.connect.jsonb.sql.JointStatement;
import io.tidegate.connect.jsonb.sql.RowSql;
import io.tidegate.connect.jsonb.sql.TableLookUp;
import io.tidegate.connect.jsonb.sql.TableShape;
import io.tidegate.connect.jsonb.sql.UnnestInsert;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Encodes rows for the server, with topic, partition and offset beside the document: as arrays that are bound to the
 * driver's statement, which is not executed, and as the stream of a binary COPY, which is discarded.
 */
public class RowEncodingBenchmark extends MicroBenchmark {
    private static final String CREATE = "CREATE TABLE " + Readings.TOPIC + " (doc jsonb NOT NULL,"
            + " __connect_topic text, __connect_partition int, __connect_offset bigint)";

    @Param({"1", "10", "100", "1000", "5000"})
    public int records;

    private final PostgresServer server = PostgresServer.builder().build();
    private long bytes;
    private List<Document> rows;
    private CopyInsert copy;
    private TableShape shape;
    private UnnestInsert unnest;
    private Connection connection;
    private PreparedStatement statement;

    @Setup
    public void open() throws SQLException {
        server.start();
        connection = server.connect();
        try (Statement creation = connection.createStatement()) {
            creation.execute(CREATE);
        }
        PostgresTargetType type = new PostgresTargetType();
        Map<String, String> props = Map.of("connection.url", server.jdbcUrl(), "pk.mode", "kafka");
        try (Target target = type.open(props)) {
            rows = Readings.documents(records, target.mapper());
        }
        AbstractConfig config = new AbstractConfig(type.config(), props, false);
        RowSql sql = new RowSql(RowSettings.from(config), InsertSettings.from(config));
        copy = new CopyInsert(sql, new Dialect("none"));
        unnest = new UnnestInsert(sql);
        shape = TableLookUp.of(connection, Readings.TOPIC, List.of());
        statement = connection.prepareStatement(unnest.text(shape, false));
    }

    @TearDown
    public void close() throws SQLException {
        connection.close();
        server.close();
    }

    @Benchmark
    public Object bindArrays() throws SQLException {
        JointStatement joint = new JointStatement();
        unnest.addTo(joint, shape, rows, false);
        joint.bind(statement, 0);
        return statement;
    }

    @Benchmark
    public long encodeCopy() throws SQLException {
        copy.send((buffer, from, length) -> bytes += length, shape, rows);
        return bytes;
    }
}
