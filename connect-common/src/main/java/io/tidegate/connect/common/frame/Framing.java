package io.tidegate.connect.common.frame;

/** Which frames are taken off bytes. */
public enum Framing {
    /** Each of the others is recognised by its first byte, with which no JSON begins. */
    AUTO,
    /** Bytes are JSON or a plain key. */
    NONE,
    /** Confluent's. */
    CONFLUENT,
    /** Apicurio Registry's. */
    APICURIO,
    /** AWS Glue Schema Registry's. */
    GLUE
}
