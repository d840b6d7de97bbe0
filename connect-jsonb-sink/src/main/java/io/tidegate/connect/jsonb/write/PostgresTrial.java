package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.TrialWriter;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.RowSketch;
import io.tidegate.connect.jsonb.sql.TableCreation;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The writer of a lane in a transaction that is undone: tables that it creates are undone, too. One thread uses it. */
public final class PostgresTrial implements TrialWriter {
    private final PoolLease pool;
    private final PostgresWriter writer;
    private final RowSketch sketch;
    private final List<String> keyColumns;
    private final boolean isExactlyOnce;
    private final Map<String, TableShape> shapes = new HashMap<>();

    /**
     * A trial.
     *
     * @param pool for a trial; closed by this writer
     * @param isExactlyOnce whether the real task also moves offsets
     */
    public PostgresTrial(
            PoolLease pool,
            RowSettings row,
            InsertSettings insert,
            Optional<TableCreation> creation,
            boolean isExactlyOnce,
            Predicate<Document> isNamedByRecord,
            ErrorOverrides overrides) {
        this.pool = requireNonNull(pool, "pool");
        this.writer = new PostgresWriter(pool, row, insert, creation, Optional.empty(), isNamedByRecord, overrides);
        this.sketch = new RowSketch(row, insert);
        this.keyColumns = row.keyColumns().stream().map(Column::name).toList();
        this.isExactlyOnce = isExactlyOnce;
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        return writer.write(documents);
    }

    @Override
    public Map<String, Object> describe(Document document) {
        try (Connection connection = pool.borrow()) {
            TableShape shape = shapes.get(document.destination());
            if (shape == null) {
                shape = TableShape.of(connection, document.destination(), keyColumns);
                shapes.put(document.destination(), shape);
            }
            return shape.exists() ? sketch.of(document, shape, connection) : sketch.of(document);
        } catch (SQLException e) {
            return sketch.of(document);
        }
    }

    @Override
    public List<String> limits() {
        List<String> limits = new ArrayList<>();
        limits.add(
                "PostgreSQL tried the statements in a transaction that is undone. Sequences keep the numbers that they"
                        + " gave out, and what a trigger does outside the database is not undone.");
        if (isExactlyOnce) {
            limits.add("The offsets of delivery.guarantee=exactly_once were neither read nor moved, so rows that the"
                    + " connector has already written are tried again.");
        }
        return limits;
    }

    @Override
    public void abort() {
        writer.abort();
    }

    @Override
    public void close() {
        writer.close();
        pool.close();
    }
}
