package io.tidegate.connect.jsonb.trial;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.TrialWriter;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.sql.RowSketch;
import io.tidegate.connect.jsonb.sql.TableShape;
import io.tidegate.connect.jsonb.write.SessionWriter;
import io.tidegate.connect.jsonb.write.WriterSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes in one transaction that is undone: tables that it creates are undone, too. The driver sets a savepoint before
 * each statement, so that a failed one undoes itself and nothing else; it sets none before a COPY. The transaction waits
 * only briefly for locks. Deferred constraints are checked with each statement, as a commit would do. One thread uses
 * it, except for {@link #abort()}.
 */
public final class PostgresTrial implements TrialWriter {
    private static final Logger log = LoggerFactory.getLogger(PostgresTrial.class);
    private static final String BEGIN = "SET LOCAL lock_timeout = '2s'; SET CONSTRAINTS ALL IMMEDIATE";

    private final PoolLease pool;
    private final AbortableConnection attempt;
    private final WriterSettings settings;
    private final RowSketch sketch;
    private final boolean isExactlyOnce;
    private Optional<Connection> transaction = Optional.empty(); // empty before the first use
    private final Set<String> newFields = new TreeSet<>(); // that would get columns
    private Optional<SessionWriter> writer = Optional.empty(); // over the transaction

    /**
     * A trial. Does not contact the server.
     *
     * @param isExactlyOnce whether the real task also moves offsets
     */
    public PostgresTrial(ConnectionSettings connection, WriterSettings settings, boolean isExactlyOnce) {
        this.settings = settings.withoutAddition();
        settings.dialect().avoidCopy("A trial cannot undo a failed COPY alone");
        this.pool = new PoolLease(connection);
        this.attempt = new AbortableConnection(pool);
        this.sketch = new RowSketch(settings.row(), settings.insert());
        this.isExactlyOnce = isExactlyOnce;
    }

    private Connection transaction() throws SQLException {
        if (transaction.isEmpty()) {
            Connection begun = borrowed();
            transaction = Optional.of(begun);
            writer = Optional.of(new SessionWriter(pool, begun, settings));
        }
        return transaction.get();
    }

    private Connection borrowed() throws SQLException {
        try {
            return begun(attempt.borrow());
        } catch (SQLException e) {
            attempt.end(); // or the next document would wait for the turn of this one
            throw e;
        }
    }

    private static Connection begun(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            connection.unwrap(PGConnection.class).setAutosave(AutoSave.ALWAYS);
            statement.execute(BEGIN);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        try {
            Connection unused = transaction();
        } catch (SQLException e) {
            throw WriteException.ofAll(
                    PostgresFailures.classifyWithoutRows(e), PostgresFailures.describe(e), e, documents);
        }
        return writer.orElseThrow().write(documents);
    }

    @Override
    public Map<String, Object> describe(Document document) {
        try {
            Connection connection = transaction();
            TableShape shape = writer.orElseThrow().shapeOf(document.destination());
            shape.pending().forEach(field -> newFields.add(document.destination() + '.' + field));
            return shape.exists() ? sketch.of(document, shape, connection) : sketch.of(document);
        } catch (SQLException e) {
            return sketch.of(document);
        }
    }

    @Override
    public List<String> limits() {
        List<String> limits = new ArrayList<>();
        limits.add(
                "PostgreSQL tried the statements in a transaction that is rolled back. Sequences keep the numbers that they"
                        + " gave out, and what a trigger does outside the database is not undone.");
        if (settings.row().fields().areAdded()) {
            limits.add("No columns were added for fields that have none, because that would lock their table"
                    + (newFields.isEmpty() ? "." : ". Left out: " + String.join(", ", newFields)));
        }
        if (isExactlyOnce) {
            limits.add("The offsets of delivery.guarantee=exactly_once were neither read nor moved, so rows that the"
                    + " connector has already written are tried again.");
        }
        return limits;
    }

    @Override
    public void abort() {
        attempt.abort();
    }

    @Override
    public void close() {
        try {
            if (transaction.isPresent()) {
                try (Connection connection = transaction.get()) {
                    connection.rollback();
                    connection.unwrap(PGConnection.class).setAutosave(AutoSave.NEVER);
                    connection.setAutoCommit(true);
                }
            }
        } catch (SQLException e) {
            log.debug("The trial's connection is broken, so the server undoes the trial", e);
        }
        attempt.end();
        pool.close();
    }
}
