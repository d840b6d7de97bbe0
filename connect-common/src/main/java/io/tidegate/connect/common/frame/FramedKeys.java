package io.tidegate.connect.common.frame;

/**
 * Finds keys that still have a schema registry's frame. The schema's id would become part of what the key identifies, so
 * the same key would identify something else after each change of its schema. Pure.
 */
public final class FramedKeys {
    /** Why such a key identifies nothing. */
    public static final String REASON =
            "the key begins with byte 0, as a schema registry's frame does, and the schema's"
                    + " id would be part of what it identifies: set " + FramingSettings.KEY_FRAMING
                    + "=auto for JSON, or key.converter to the registry's for Avro and Protobuf, or to a number's";

    private static final int FRAME_BYTES = 1 + Integer.BYTES;

    private FramedKeys() {}

    /**
     * Whether this key begins like the frame that all registries have, and no text of a key does.
     *
     * @param key may be null, as in Connect
     */
    public static boolean contain(Object key) {
        return key instanceof byte[] bytes && bytes.length >= FRAME_BYTES && bytes[0] == 0;
    }
}
