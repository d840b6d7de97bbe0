package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.common.value.ByteSlice;

/**
 * JSON bytes as a {@code jsonb} parameter in binary form: a version byte, then the text unchanged. It makes no {@code
 * String}. Source: {@code jsonb_recv} in PostgreSQL's {@code jsonb.c}.
 */
final class JsonbParameter extends BinaryParameter {
    private static final long serialVersionUID = 1L;
    private static final byte VERSION = 1;

    private final transient ByteSlice json;

    JsonbParameter(ByteSlice json) {
        super("jsonb");
        this.json = json;
    }

    @Override
    public int lengthInBytes() {
        return 1 + json.length();
    }

    @Override
    public void toBytes(byte[] bytes, int offset) {
        bytes[offset] = VERSION;
        System.arraycopy(json.array(), json.from(), bytes, offset + 1, json.length());
    }
}
