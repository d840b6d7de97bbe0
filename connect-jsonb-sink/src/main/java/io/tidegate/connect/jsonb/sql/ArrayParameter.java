package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

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

    /** A table expression of one array for each input, each of them a parameter. */
    static String table(List<WireType> wires) {
        return wires.stream().map(wire -> "?::" + wire.arrayCast()).collect(Collectors.joining(", ", "unnest(", ")"));
    }

    /** Binds the parameters of {@link #table}, starting after parameter {@code bound}. */
    static void bind(PreparedStatement statement, int bound, RowValues values) throws SQLException {
        for (int input = 0; input < values.inputs(); input++) {
            statement.setObject(
                    bound + input + 1, values.isNumber(input) ? numbers(values, input) : bytes(values, input));
        }
    }

    private static ArrayParameter bytes(RowValues values, int input) throws SQLException {
        ByteSlice[] elements = new ByteSlice[values.rows()];
        boolean hasNulls = false;
        long bytes = 0;
        for (int row = 0; row < elements.length; row++) {
            elements[row] = values.bytes(row, input);
            hasNulls |= elements[row] == RowField.NO_BYTES;
            bytes += elements[row].length();
        }
        return new Bytes(values.wire(input), elements, hasNulls, bytes);
    }

    private static ArrayParameter numbers(RowValues values, int input) throws SQLException {
        long[] numbers = new long[values.rows()];
        int nulls = 0;
        for (int row = 0; row < numbers.length; row++) {
            numbers[row] = values.number(row, input);
            if (numbers[row] == RowField.NO_NUMBER) {
                nulls++;
            }
        }
        return new Numbers(values.wire(input), numbers, nulls);
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

    private static final class Bytes extends ArrayParameter {
        private static final long serialVersionUID = 1L;

        private final transient ByteSlice[] elements;

        Bytes(WireType wire, ByteSlice[] elements, boolean hasNulls, long bytes) {
            super(wire, elements.length, hasNulls, bytes);
            this.elements = elements;
        }

        @Override
        void write(int row, ByteBuffer out) {
            ByteSlice element = elements[row];
            out.putInt(element == RowField.NO_BYTES ? NULL : element.length())
                    .put(element.array(), element.from(), element.length());
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
