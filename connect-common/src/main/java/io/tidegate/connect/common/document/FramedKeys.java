package io.tidegate.connect.common.document;

import io.tidegate.connect.common.value.Utf8;

/**
 * Finds keys that still have a schema registry's frame. The schema's id would become part of what the key identifies, so
 * the same key would identify something else after each change of its schema. The forms are those of {@code frame.Frames}.
 * Pure.
 */
public final class FramedKeys {
    /** Why such a key identifies nothing. */
    public static final String REASON = "the key begins like a schema registry's frame, and the schema's"
            + " id would be part of what it identifies: set key.framing=auto for JSON, or key.converter to the"
            + " registry's for Avro and Protobuf, or to a number's";

    private static final int ID_BYTES = 1 + Integer.BYTES;
    private static final int GUID_BYTES = 1 + 2 * Long.BYTES;
    private static final int GLUE_BYTES = 2 + 2 * Long.BYTES;
    private static final int GLUE_ZLIB = 5;

    private FramedKeys() {}

    /**
     * Whether this key begins like a frame, and no text of a key does.
     *
     * @param key may be null, as in Connect
     */
    public static boolean contain(Object key) {
        if (key instanceof String text) {
            return text.length() >= ID_BYTES && text.charAt(0) == 0;
        }
        if (!(key instanceof byte[] bytes) || bytes.length < ID_BYTES) {
            return false;
        }
        return switch (bytes[0]) {
            case 0 -> true;
            case 1 -> bytes.length >= GUID_BYTES && !Utf8.isWellFormed(bytes);
            case 3 -> bytes.length >= GLUE_BYTES && (bytes[1] == 0 || bytes[1] == GLUE_ZLIB);
            default -> false;
        };
    }
}
