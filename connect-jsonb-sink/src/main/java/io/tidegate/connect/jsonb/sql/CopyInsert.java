package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.WireType;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Sends rows as a binary {@code COPY}, which is the cheapest way for the server. COPY has no {@code ON CONFLICT}, and
 * each column must take the value without a cast. Source of the format: PostgreSQL documentation, COPY, "Binary
 * Format".
 */
public final class CopyInsert {
    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0};
    private static final byte JSONB_VERSION = 1;
    private static final short END = -1;

    /** The length that marks a NULL. */
    private static final int NULL = -1;

    /** The fixed fields of a row need much less. */
    static final int BUFFER_BYTES = 128 << 10;

    private final RowSql sql;
    private final Dialect dialect;
    private final MetadataEncoder encoder;
    private final DirectConnections connections = new DirectConnections();
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

    public CopyInsert(RowSql sql, Dialect dialect) {
        this.dialect = requireNonNull(dialect, "dialect");
        this.sql = requireNonNull(sql, "sql");
        this.encoder = sql.metadataEncoder();
    }

    /** Whether rows in the usual forms can be sent this way. The server must have nothing to compute and nothing to cast. */
    boolean fits(TableShape shape) {
        List<Column> columns = sql.columns(shape);
        return shape.takesCopy()
                && !columns.isEmpty()
                && !sql.keeps(shape)
                && columns.stream()
                        .allMatch(column ->
                                column.isPlain() && column.input().wire().copiesInto(shape.binaryOf(column.name())));
    }

    /**
     * Sends the rows.
     *
     * @return false if nothing was sent, because the server has to read a value in a rare form
     */
    boolean copy(Connection connection, TableShape shape, List<Document> rows) throws SQLException {
        RowValues values = sql.valuesByColumn(shape, rows, encoder);
        if (!values.isBinary()) {
            return false;
        }
        boolean isDirect = connections.isDirect(connection);
        CopyIn copy = begin(connection, shape);
        try {
            send(copy, shape, values);
            return true;
        } catch (SQLException e) {
            discardIfLost(connection, e);
            throw isDirect || PostgresFailures.endsConnections(e) ? e : failedThroughPooler(connection, e);
        }
    }

    private CopyIn begin(Connection connection, TableShape shape) throws SQLException {
        try {
            return connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql.copyInto(shape));
        } catch (SQLException e) {
            discardIfLost(connection, e);
            throw e;
        }
    }

    /** The pool does not see the errors of the driver's own interface, and would lend a connection again that hangs. */
    private static void discardIfLost(Connection connection, SQLException e) {
        if (PostgresFailures.endsConnections(e)) {
            AbortableConnection.discard(connection);
        }
    }

    /**
     * If the server rejects a {@code COPY} before the client has sent all of it, PgBouncer may wait for more of it, answer
     * nothing, and never use its connection to the server again (seen with 1.18; pull request 1470 of PgBouncer has the
     * reason). It closes that connection if the client leaves. The same rows come again.
     */
    private SQLException failedThroughPooler(Connection connection, SQLException e) {
        dialect.avoidCopy("A COPY failed behind a pooler, which may wait for its rest");
        AbortableConnection.discard(connection);
        return new SQLException("COPY failed behind a pooler: " + e.getMessage(), SqlState.SERIALIZATION_FAILURE, e);
    }

    private void send(CopyIn copy, TableShape shape, RowValues values) throws SQLException {
        try {
            send(copy::writeToCopy, shape, values);
            copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    /** Where the bytes of a copy go. */
    public interface Sink {
        void write(byte[] buffer, int from, int length) throws SQLException;
    }

    /** Sends the whole stream of the copy of rows in the usual forms. */
    public void send(Sink copy, TableShape shape, List<Document> rows) throws SQLException {
        send(copy, shape, sql.valuesByColumn(shape, rows, encoder));
    }

    private void send(Sink copy, TableShape shape, RowValues values) throws SQLException {
        List<Column> columns = sql.columns(shape);
        boolean[] jsonb = new boolean[columns.size()];
        for (int i = 0; i < jsonb.length; i++) {
            jsonb[i] = shape.typeOf(columns.get(i).name()).equals(WireType.JSON.type());
        }
        buffer.clear();
        buffer.put(SIGNATURE).putInt(0).putInt(0); // no flags, no extension
        for (int row = 0; row < values.rows(); row++) {
            makeRoom(copy, Short.BYTES);
            buffer.putShort((short) jsonb.length);
            for (int i = 0; i < jsonb.length; i++) {
                put(copy, values, row, i, jsonb[i]);
            }
        }
        makeRoom(copy, Short.BYTES);
        buffer.putShort(END);
        flush(copy);
    }

    private void put(Sink copy, RowValues values, int row, int input, boolean isJsonb) throws SQLException {
        makeRoom(copy, Integer.BYTES + Long.BYTES);
        if (!values.isNumber(input)) {
            putBytes(copy, isJsonb, values.bytes(row, input));
        } else if (values.number(row, input) == RowField.NO_NUMBER) {
            buffer.putInt(NULL);
        } else {
            WireType wire = values.wire(input);
            wire.putNumber(buffer.putInt(wire.sizeOfNumber()), values.number(row, input));
        }
    }

    /** Writes bytes. The buffer already has room for its fixed fields. */
    private void putBytes(Sink copy, boolean isJsonb, ByteSlice text) throws SQLException {
        if (text == RowField.NO_BYTES) {
            buffer.putInt(NULL);
            return;
        }
        if (isJsonb) {
            buffer.putInt(1 + text.length()).put(JSONB_VERSION);
        } else {
            buffer.putInt(text.length());
        }
        if (text.length() <= BUFFER_BYTES) {
            makeRoom(copy, text.length());
            buffer.put(text.array(), text.from(), text.length());
        } else {
            flush(copy);
            copy.write(text.array(), text.from(), text.length());
        }
    }

    private void makeRoom(Sink copy, int bytes) throws SQLException {
        if (buffer.remaining() < bytes) {
            flush(copy);
        }
    }

    private void flush(Sink copy) throws SQLException {
        copy.write(buffer.array(), 0, buffer.position());
        buffer.clear();
    }
}
