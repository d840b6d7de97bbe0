package io.tidegate.connect.jsonb.sql;

import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * A parameter that is sent to the server in binary form. It is written directly into the driver's buffer and never read
 * back.
 */
abstract class BinaryParameter extends PGobject implements PGBinaryObject {
    private static final long serialVersionUID = 1L;

    /** Takes the type as the server's catalogue names it. */
    BinaryParameter(String type) {
        this.type = type;
    }

    /**
     * The driver asks for a text if it does not send the type in binary. There is none. NULL would mean an array
     * without rows, so an insert of nothing would succeed.
     */
    @Override
    public final String getValue() {
        throw new IllegalStateException("the driver does not send " + type
                + " in binary, which the sink needs: remove binaryTransfer, binaryTransferEnable,"
                + " binaryTransferDisable and preferQueryMode from connection.url");
    }

    @Override
    public final void setByteValue(byte[] value, int offset) {
        throw new UnsupportedOperationException("parameters are only sent");
    }

    @Override
    public final boolean equals(Object other) {
        return this == other;
    }

    @Override
    public final int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public final Object clone() throws CloneNotSupportedException {
        return super.clone();
    }
}
