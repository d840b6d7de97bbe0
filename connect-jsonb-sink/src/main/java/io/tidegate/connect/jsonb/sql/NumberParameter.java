package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.row.WireType;
import java.nio.ByteBuffer;

/** An {@code integer}, {@code bigint} or {@code timestamptz} parameter in binary form, which is the number itself. */
final class NumberParameter extends BinaryParameter {
    private static final long serialVersionUID = 1L;

    private final WireType wire;
    private final long number;

    NumberParameter(WireType wire, long number) {
        super(requireNonNull(wire, "wire").scalarType());
        this.wire = wire;
        this.number = number;
    }

    @Override
    public int lengthInBytes() {
        return wire.sizeOfNumber();
    }

    @Override
    public void toBytes(byte[] bytes, int offset) {
        wire.putNumber(ByteBuffer.wrap(bytes, offset, lengthInBytes()), number);
    }
}
