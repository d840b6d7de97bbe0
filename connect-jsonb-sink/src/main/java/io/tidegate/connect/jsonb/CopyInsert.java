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

    /** Far above what a topic's name and the fixed fields take. */
    static final int BUFFER_BYTES = 128 << 10;

    private static final List<String> KAFKA_TYPES = List.of("jsonb", "text", "integer", "bigint");
    private static final List<String> VALUE_TYPE = List.of("jsonb");

    private final KeyMode keyMode;
    private final RowSql sql;
    private final short fields;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private String lastTopic = "";
    private byte[] lastTopicBytes = new byte[0];

    CopyInsert(TableSettings settings) {
        this.keyMode = requireNonNull(settings, "settings").keyMode();
        this.sql = new RowSql(settings);
        this.fields = (short) sql.columns().size();
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

    /** The whole stream of the copy. */
    void send(CopyIn copy, List<Document> rows) throws SQLException {
        buffer.clear();
        buffer.put(SIGNATURE).putInt(0).putInt(0); // no flags, no extension
        for (Document row : rows) {
            makeRoom(copy, Short.BYTES + Integer.BYTES + 1);
            buffer.putShort(fields);
            putJson(copy, row.json());
            if (keyMode == KeyMode.KAFKA) {
                putCoordinates(copy, row);
            }
        }
        makeRoom(copy, Short.BYTES);
        buffer.putShort(END);
        flush(copy);
    }

    private void putJson(CopyIn copy, byte[] json) throws SQLException {
        buffer.putInt(1 + json.length).put(JSONB_VERSION);
        if (json.length <= BUFFER_BYTES) {
            makeRoom(copy, json.length);
            buffer.put(json);
        } else {
            flush(copy);
            copy.writeToCopy(json, 0, json.length);
        }
    }

    private void putCoordinates(CopyIn copy, Document row) throws SQLException {
        TopicPartition source = row.progress().partition();
        byte[] topic = bytesOf(source.topic());
        makeRoom(copy, 3 * Integer.BYTES + topic.length + Integer.BYTES + Long.BYTES);
        buffer.putInt(topic.length).put(topic);
        buffer.putInt(Integer.BYTES).putInt(source.partition());
        buffer.putInt(Long.BYTES).putLong(row.offset());
    }

    /** Rows of a topic come one after the other. */
    private byte[] bytesOf(String topic) {
        if (!topic.equals(lastTopic)) {
            lastTopic = topic;
            lastTopicBytes = topic.getBytes(StandardCharsets.UTF_8);
        }
        return lastTopicBytes;
    }

    private void makeRoom(CopyIn copy, int bytes) throws SQLException {
        if (buffer.remaining() < bytes) {
            flush(copy);
        }
    }

    private void flush(CopyIn copy) throws SQLException {
        copy.writeToCopy(buffer.array(), 0, buffer.position());
        buffer.clear();
    }
}
