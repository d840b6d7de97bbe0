package io.tidegate.connect.common.frame;

/** Whether the frames of schema registries are taken off bytes. */
public enum Framing {
    /** Each is recognised by its first byte, with which no JSON begins. */
    AUTO,
    /** Bytes are JSON or a plain key. */
    NONE
}
