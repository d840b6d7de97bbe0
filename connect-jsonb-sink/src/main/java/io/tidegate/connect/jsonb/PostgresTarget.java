package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.document.KeyRule;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.pool.SharedResource;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.RefusedException;
import io.tidegate.connect.common.spi.Target;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.sink.SinkRecord;

/** The tables of one task: a share in the worker's pool, and the rules by which records become rows. */
final class PostgresTarget implements Target {
    private final ConnectionSettings connection;
    private final TableSettings table;
    private final DeliverySettings delivery;
    private final SharedResource.Lease<ConnectionPool> pool;

    PostgresTarget(ConnectionSettings connection, TableSettings table, DeliverySettings delivery) {
        this.connection = requireNonNull(connection, "connection");
        this.table = requireNonNull(table, "table");
        this.delivery = requireNonNull(delivery, "delivery");
        this.pool = ConnectionPool.lease(connection);
    }

    @Override
    public DocumentMapper mapper() {
        Map<String, String> tables = new HashMap<>();
        return new DocumentMapper(
                record -> tables.computeIfAbsent(
                        record.topic(),
                        topic -> table.table().with(Map.of("topic", topic)).sql()),
                keyRule(),
                table.deletes() ? NullValues.DELETE : NullValues.IGNORE);
    }

    private KeyRule keyRule() {
        return table.keyMode() == TableSettings.KeyMode.RECORD_KEY ? PostgresTarget::recordKey : KeyRule.NONE;
    }

    private static byte[] recordKey(SinkRecord record) {
        Object key = record.key();
        if (key instanceof byte[] bytes && bytes.length > 0) {
            return bytes;
        }
        if (key instanceof String || key instanceof Number || key instanceof Boolean) {
            byte[] text = key.toString().getBytes(StandardCharsets.UTF_8);
            if (text.length > 0) {
                return text;
            }
        }
        throw new RefusedException("the record's key is "
                + (key == null
                        ? "null"
                        : "an empty or structured " + key.getClass().getSimpleName()) + ", and "
                + TableSettings.PK_MODE + "=record_key needs a text, a number or UTF-8 bytes");
    }

    @Override
    public BatchWriter openWriter(int lane) {
        Optional<OffsetFence> fence =
                delivery.isExactlyOnce() ? Optional.of(new OffsetFence(new OffsetTable(delivery))) : Optional.empty();
        return new PostgresWriter(pool.get(), table, fence);
    }

    @Override
    public boolean lastWriteWins() {
        return table.insertMode() == TableSettings.InsertMode.UPSERT;
    }

    /** The pool's, which every task that shares it shows. */
    @Override
    public List<Metric> metrics() {
        return pool.get().metrics();
    }

    @Override
    public String description() {
        return "PostgreSQL " + connection.server();
    }

    @Override
    public void close() {
        pool.close();
    }

    /** The key of a document as text. */
    static String keyText(Document document) {
        return new String(document.key(), StandardCharsets.UTF_8);
    }
}
