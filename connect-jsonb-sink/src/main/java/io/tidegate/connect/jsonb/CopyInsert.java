package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.TableSettings.KeyMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Rows as a binary {@code COPY}: the cheapest for the server. It knows no {@code ON CONFLICT}, and each column has to have
 * the exact type of the value sent. Source of the form: PostgreSQL documentation, COPY, "Binary Format".
 */
final class CopyInsert implements RowInsert {
    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0};
    private static final byte JSONB_VERSION = 1;
    private static final short END = -1;
    private static final int BUFFER_BYTES = 128 << 10;

    /** The number of fields, their lengths, and the values but for topic and JSON. */
    private static final int MOST_FIXED_BYTES = 64;

    private static final List<String> KAFKA_TYPES = List.of("jsonb", "text", "integer", "bigint");
    private static final List<String> VALUE_TYPE = List.of("jsonb");

    private final KeyMode keyMode;
    private final RowSql sql;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

    CopyInsert(TableSettings settings) {
        this.keyMode = requireNonNull(settings, "settings").keyMode();
        this.sql = new RowSql(settings);
    }

    /** Whether rows can go this way. */
    boolean fits(TableShape shape) {
        return switch (keyMode) {
            case RECORD_KEY -> false;
            case NONE -> shape.takesCopy() && shape.hasTypes(sql.columns(), VALUE_TYPE);
            case KAFKA -> shape.takesCopy() && shape.hasTypes(sql.columns(), KAFKA_TYPES);
        };
    }

    @Override
    public int maxRows() {
        return Integer.MAX_VALUE;
    }

    @Override
    public void insert(
            Connection connection,
            TableShape shape,
            List<Document> rows,
            boolean resolving,
            Optional<OffsetFence> fence)
            throws SQLException {
        if (resolving || fence.isPresent()) {
            throw new IllegalArgumentException("COPY neither resolves conflicts nor moves offsets");
        }
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql.copyInto(shape.table()));
        try {
            send(copy, rows);
            copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    private void send(CopyIn copy, List<Document> rows) throws SQLException {
        buffer.clear();
        buffer.put(SIGNATURE).putInt(0).putInt(0); // no flags, no extension
        for (Document row : rows) {
            byte[] topic = keyMode == KeyMode.KAFKA
                    ? row.progress().partition().topic().getBytes(StandardCharsets.UTF_8)
                    : Document.NO_KEY;
            if (buffer.remaining() < MOST_FIXED_BYTES + topic.length) {
                flush(copy);
            }
            buffer.putShort((short) sql.columns().size());
            putJson(copy, row.json());
            if (keyMode == KeyMode.KAFKA) {
                putCoordinates(row, topic);
            }
        }
        buffer.putShort(END);
        flush(copy);
    }

    private void putJson(CopyIn copy, byte[] json) throws SQLException {
        buffer.putInt(1 + json.length).put(JSONB_VERSION);
        if (json.length > buffer.remaining() - MOST_FIXED_BYTES) {
            flush(copy);
        }
        if (json.length > buffer.remaining() - MOST_FIXED_BYTES) {
            copy.writeToCopy(json, 0, json.length); // larger than the buffer
        } else {
            buffer.put(json);
        }
    }

    private void putCoordinates(Document row, byte[] topic) {
        TopicPartition source = row.progress().partition();
        buffer.putInt(topic.length).put(topic);
        buffer.putInt(Integer.BYTES).putInt(source.partition());
        buffer.putInt(Long.BYTES).putLong(row.offset());
    }

    private void flush(CopyIn copy) throws SQLException {
        copy.writeToCopy(buffer.array(), 0, buffer.position());
        buffer.clear();
    }
}
