package io.tidegate.connect.bench.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.tidegate.connect.lab.store.PostgresStore;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Sends a binary {@code COPY} per batch, in PostgreSQL's own format: see "COPY, File Formats" in its manual. */
public final class RawCopy implements RawWriter {
    private static final byte[] HEADER = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0".getBytes(ISO_8859_1);
    private static final int JSONB_VERSION = 1;
    private static final int END = -1;
    private static final String SQL = "COPY bench (doc) FROM STDIN (FORMAT binary)";

    private final PostgresStore store;
    private final RawRecords records;
    private final int batch;

    /** The bodies of full requests, built before the measurement starts. */
    private final List<byte[]> full = new ArrayList<>();

    public RawCopy(PostgresStore store, RawRecords records) {
        this.store = store;
        this.records = records;
        batch = records.batch();
        for (int from = 0; from + batch <= records.values().size(); from += batch) {
            full.add(built(from, batch));
        }
    }

    @Override
    public String label() {
        return "raw COPY";
    }

    @Override
    public int batch() {
        return batch;
    }

    private byte[] body(long from, int rows) {
        return rows == batch && !full.isEmpty() ? full.get((int) (from / batch % full.size())) : built(from, rows);
    }

    private byte[] built(long from, int rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(HEADER);
            for (long number = from; number < from + rows; number++) {
                byte[] value = records.value(number);
                out.writeShort(1);
                out.writeInt(value.length + 1);
                out.writeByte(JSONB_VERSION);
                out.write(value);
            }
            out.writeShort(END);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Override
    public Session open() throws Exception {
        Connection connection = store.connect();
        return new Session() {
            @Override
            public void write(long from, int rows) throws Exception {
                byte[] body = body(from, rows);
                CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(SQL);
                copy.writeToCopy(body, 0, body.length);
                copy.endCopy();
            }

            @Override
            public void close() throws Exception {
                connection.close();
            }
        };
    }
}
