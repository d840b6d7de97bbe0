package io.tidegate.connect.jsonb.row;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * How a value is sent in binary form. The OIDs and names of types and their arrays are fixed in PostgreSQL's {@code
 * pg_type.dat}.
 */
public enum WireType {
    /** JSON text. An array of it is sent as {@code text[]}, which costs the server less than {@code jsonb[]}. */
    JSON("jsonb", 25, "_text", "text[]"),
    /** UTF-8 text. */
    TEXT("text", 25, "_text", "text[]"),
    INT4("integer", 23, "_int4", "integer[]"),
    INT8("bigint", 20, "_int8", "bigint[]"),
    /** Microseconds since 2000-01-01, UTC. */
    TIMESTAMPTZ("timestamp with time zone", 1184, "_timestamptz", "timestamptz[]"),
    BOOL("boolean", 16, "_bool", "boolean[]"),
    INT2("smallint", 21, "_int2", "smallint[]"),
    FLOAT4("real", 700, "_float4", "real[]"),
    FLOAT8("double precision", 701, "_float8", "double precision[]"),
    NUMERIC("numeric", 1700, "_numeric", "numeric[]"),
    UUID("uuid", 2950, "_uuid", "uuid[]"),
    DATE("date", 1082, "_date", "date[]"),
    TIME("time without time zone", 1083, "_time", "time[]"),
    TIMESTAMP("timestamp without time zone", 1114, "_timestamp", "timestamp[]"),
    BYTEA("bytea", 17, "_bytea", "bytea[]"),
    /** A {@code vector} of pgvector. Each database gives the extension's types other OIDs, so none is an element here. */
    VECTOR("vector", 25, "_text", "text[]"),
    /** A {@code halfvec} of pgvector. */
    HALFVEC("halfvec", 25, "_text", "text[]");

    private static final Map<String, WireType> BY_COLUMN = byColumn();

    private static Map<String, WireType> byColumn() {
        Map<String, WireType> types = new HashMap<>(Map.of("json", JSON, "character varying", TEXT));
        for (WireType wire : values()) {
            types.put(wire.type, wire);
        }
        return Map.copyOf(types);
    }

    private static final Set<String> TEXTS = Set.of("text", "character varying");

    private final String type;
    private final int elementOid;
    private final String arrayType;
    private final String arrayCast;

    WireType(String type, int elementOid, String arrayType, String arrayCast) {
        this.type = type;
        this.elementOid = elementOid;
        this.arrayType = arrayType;
        this.arrayCast = arrayCast;
    }

    /** How values go into a column of this type; {@link #TEXT} if the server has to read them. */
    public static WireType of(String columnType) {
        return BY_COLUMN.getOrDefault(columnType, TEXT);
    }

    /** How it is sent in an array: as text, if the array's type has no fixed OID. */
    public WireType asElement() {
        return this == VECTOR || this == HALFVEC ? TEXT : this;
    }

    /** The type of one value, as written in a cast. */
    public String type() {
        return type;
    }

    /** The OID of an array's elements. */
    public int elementOid() {
        return elementOid;
    }

    /** The type of one value, as the server's catalogue names it. */
    public String scalarType() {
        return arrayType.substring(1);
    }

    /** The type of the array, as the server's catalogue names it. */
    public String arrayType() {
        return arrayType;
    }

    /** The type of the array, as written in a cast. */
    public String arrayCast() {
        return arrayCast;
    }

    /** The size of a number in bytes. */
    public int sizeOfNumber() {
        return this == INT4 ? Integer.BYTES : Long.BYTES;
    }

    /** Writes a number in its binary form, without its length. */
    public void putNumber(ByteBuffer out, long number) {
        if (this == INT4) {
            out.putInt((int) number);
        } else {
            out.putLong(number);
        }
    }

    /**
     * Whether a binary {@code COPY} may put the value into a column of this type. COPY does not cast. The binary form of
     * {@code json} is its text.
     */
    public boolean copiesInto(String columnType) {
        return columnType.equals(type)
                || (this == JSON && columnType.equals("json"))
                || (isText() && TEXTS.contains(columnType));
    }

    /** Whether its values are decimal numbers. */
    public boolean isOfNumbers() {
        return switch (this) {
            case INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC -> true;
            default -> false;
        };
    }

    private boolean isText() {
        return this == JSON || this == TEXT;
    }
}
