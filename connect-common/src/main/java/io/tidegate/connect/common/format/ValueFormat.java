package io.tidegate.connect.common.format;

/** The form in which values arrive. */
public enum ValueFormat {
    /** What the converter delivers: JSON in bytes, or Connect's values. */
    CONNECT,
    /** Avro in bytes, behind a registry's frame. */
    AVRO
}
