package io.tidegate.connect.jsonb.sql;

/**
 * JSON bytes as a {@code jsonb} parameter in binary form: a version byte, then the text unchanged. It makes no {@code
 * String}. Source: {@code jsonb_recv} in PostgreSQL's {@code jsonb.c}.
 */
final class JsonbParameter extends BinaryParameter {
    private static final long serialVersionUID = 1L;
    private static final byte VERSION = 1;

    private final transient byte[] json;

    JsonbParameter(byte[] json) {
        super("jsonb");
        this.json = json;
    }

    @Override
    public int lengthInBytes() {
        return 1 + json.length;
    }

    @Override
    public void toBytes(byte[] bytes, int offset) {
        bytes[offset] = VERSION;
        System.arraycopy(json, 0, bytes, offset + 1, json.length);
    }
}
