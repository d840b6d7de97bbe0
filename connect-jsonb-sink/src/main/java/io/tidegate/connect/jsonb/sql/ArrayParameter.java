package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.WireType;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One field of all rows as an array parameter in binary form, written directly into the driver's buffer. Source of the
 * format: {@code array_recv} in PostgreSQL's {@code arrayfuncs.c}.
 */
abstract class ArrayParameter extends BinaryParameter {
    private static final long serialVersionUID = 1L;

    /** The dimensions, a flag for nulls, the element's type, the length and the lower bound take 4 bytes each. */
    private static final int HEADER_BYTES = 20;

    /** The length that marks a NULL. */
    private static final int NULL = -1;

    private final WireType wire;
    private final int rows;
    private final boolean hasNulls;
    private final int length;

    private ArrayParameter(WireType wire, int rows, boolean hasNulls, long elementBytes) {
        super(requireNonNull(wire, "wire").arrayType());
        this.wire = wire;
        this.rows = rows;
        this.hasNulls = hasNulls;
        this.length = Math.toIntExact(HEADER_BYTES + (long) Integer.BYTES * rows + elementBytes);
    }

    static ArrayParameter of(RowField input, List<Document> rows, MetadataEncoder encoder) throws SQLException {
        return input.isText() ? texts(input, rows, encoder) : numbers(input, rows);
    }

    /** A table expression of one array for each field, each of them a parameter. */
    static String table(List<RowField> inputs) {
        return inputs.stream()
                .map(input -> "?::" + input.wire().arrayCast())
                .collect(Collectors.joining(", ", "unnest(", ")"));
    }

    /** Binds the parameters of {@link #table}, starting after parameter {@code bound}. */
    static void bind(
            PreparedStatement statement, int bound, List<RowField> inputs, List<Document> rows, MetadataEncoder encoder)
            throws SQLException {
        int parameter = bound;
        for (RowField input : inputs) {
            statement.setObject(++parameter, of(input, rows, encoder));
        }
    }

    private static ArrayParameter texts(RowField input, List<Document> rows, MetadataEncoder encoder)
            throws SQLException {
        ByteSlice[] texts = new ByteSlice[rows.size()];
        boolean hasNulls = false;
        long bytes = 0;
        for (int i = 0; i < texts.length; i++) {
            texts[i] = input.bytes(rows.get(i), encoder);
            hasNulls |= texts[i] == RowField.NO_BYTES;
            bytes += texts[i].length();
        }
        return new Texts(input.wire(), texts, hasNulls, bytes);
    }

    private static ArrayParameter numbers(RowField input, List<Document> rows) throws SQLException {
        long[] numbers = new long[rows.size()];
        int nulls = 0;
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = input.number(rows.get(i));
            if (numbers[i] == RowField.NO_NUMBER) {
                nulls++;
            }
        }
        return new Numbers(input.wire(), numbers, nulls);
    }

    @Override
    public final int lengthInBytes() {
        return length;
    }

    @Override
    public final void toBytes(byte[] bytes, int offset) {
        ByteBuffer out = ByteBuffer.wrap(bytes, offset, bytes.length - offset);
        out.putInt(1)
                .putInt(hasNulls ? 1 : 0)
                .putInt(wire.elementOid())
                .putInt(rows)
                .putInt(1);
        for (int row = 0; row < rows; row++) {
            write(row, out);
        }
    }

    final WireType wire() {
        return wire;
    }

    /** Writes an element: its length first, then its bytes. */
    abstract void write(int row, ByteBuffer out);

    private static final class Texts extends ArrayParameter {
        private static final long serialVersionUID = 1L;

        private final transient ByteSlice[] texts;

        Texts(WireType wire, ByteSlice[] texts, boolean hasNulls, long bytes) {
            super(wire, texts.length, hasNulls, bytes);
            this.texts = texts;
        }

        @Override
        void write(int row, ByteBuffer out) {
            ByteSlice text = texts[row];
            out.putInt(text == RowField.NO_BYTES ? NULL : text.length()).put(text.array(), text.from(), text.length());
        }
    }

    private static final class Numbers extends ArrayParameter {
        private static final long serialVersionUID = 1L;

        private final transient long[] numbers;

        Numbers(WireType wire, long[] numbers, int nulls) {
            super(wire, numbers.length, nulls > 0, (long) wire.sizeOfNumber() * (numbers.length - nulls));
            this.numbers = numbers;
        }

        @Override
        void write(int row, ByteBuffer out) {
            long number = numbers[row];
            if (number == RowField.NO_NUMBER) {
                out.putInt(NULL);
            } else {
                wire().putNumber(out.putInt(wire().sizeOfNumber()), number);
            }
        }
    }
}
