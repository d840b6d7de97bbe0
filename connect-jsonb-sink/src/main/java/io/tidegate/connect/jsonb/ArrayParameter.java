package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One value of each row as an array parameter in binary form, written straight into the driver's buffer. Source of the
 * form: {@code array_recv} in PostgreSQL's {@code arrayfuncs.c}.
 */
final class ArrayParameter extends BinaryParameter {
    private static final long serialVersionUID = 1L;

    /** Dimensions, a flag for nulls, the element's type, the length and the lower bound: 4 bytes each. */
    private static final int HEADER_BYTES = 20;

    /** A value of a row: its length first, then its bytes. */
    interface Element {
        int length(Document row);

        void write(Document row, ByteBuffer out);
    }

    /** The OIDs and names of element types and their arrays are fixed in PostgreSQL's {@code pg_type.dat}. */
    enum Kind {
        TEXT(25, "_text"),
        INT4(23, "_int4"),
        INT8(20, "_int8");

        private final int elementOid;
        private final String arrayType;

        Kind(int elementOid, String arrayType) {
            this.elementOid = elementOid;
            this.arrayType = arrayType;
        }
    }

    static final Element JSON = new Bytes() {
        @Override
        byte[] bytes(Document row) {
            return row.json();
        }
    };
    static final Element KEY = new Bytes() {
        @Override
        byte[] bytes(Document row) {
            return row.key();
        }
    };
    static final Element TOPIC = new Bytes() {
        @Override
        byte[] bytes(Document row) {
            return row.progress().partition().topic().getBytes(StandardCharsets.UTF_8);
        }
    };
    static final Element PARTITION = new Element() {
        @Override
        public int length(Document row) {
            return Integer.BYTES;
        }

        @Override
        public void write(Document row, ByteBuffer out) {
            out.putInt(row.progress().partition().partition());
        }
    };
    static final Element OFFSET = new Element() {
        @Override
        public int length(Document row) {
            return Long.BYTES;
        }

        @Override
        public void write(Document row, ByteBuffer out) {
            out.putLong(row.offset());
        }
    };

    private final transient Kind kind;
    private final transient Element element;
    private final transient List<Document> rows;

    ArrayParameter(Kind kind, Element element, List<Document> rows) {
        super(requireNonNull(kind, "kind").arrayType);
        this.kind = kind;
        this.element = requireNonNull(element, "element");
        this.rows = requireNonNull(rows, "rows");
    }

    @Override
    public int lengthInBytes() {
        int length = HEADER_BYTES;
        for (Document row : rows) {
            length = Math.addExact(length, Integer.BYTES + element.length(row));
        }
        return length;
    }

    @Override
    public void toBytes(byte[] bytes, int offset) {
        ByteBuffer out = ByteBuffer.wrap(bytes, offset, bytes.length - offset);
        out.putInt(1).putInt(0).putInt(kind.elementOid).putInt(rows.size()).putInt(1);
        for (Document row : rows) {
            out.putInt(element.length(row));
            element.write(row, out);
        }
    }

    private abstract static class Bytes implements Element {
        abstract byte[] bytes(Document row);

        @Override
        public int length(Document row) {
            return bytes(row).length;
        }

        @Override
        public void write(Document row, ByteBuffer out) {
            out.put(bytes(row));
        }
    }
}
