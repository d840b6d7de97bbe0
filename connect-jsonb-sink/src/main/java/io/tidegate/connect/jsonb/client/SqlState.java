package io.tidegate.connect.jsonb.client;

/**
 * The SQLSTATEs that code checks by name. {@link PostgresFailures} says what each of them means for a batch. Source:
 * PostgreSQL documentation, appendix A, "PostgreSQL Error Codes".
 */
public final class SqlState {
    public static final String UNABLE_TO_CONNECT = "08001";
    public static final String CONNECTION_DOES_NOT_EXIST = "08003";
    /** Raised by pgjdbc: it has no password, or TLS is required but not available. */
    public static final String CONNECTION_REFUSED = "08004";

    public static final String CONNECTION_FAILURE = "08006";
    /** PgBouncer's answer to an unknown session parameter. */
    public static final String PROTOCOL_VIOLATION = "08P01";

    public static final String FEATURE_NOT_SUPPORTED = "0A000";
    public static final String SYNTAX_ERROR = "42601";
    public static final String DIVISION_BY_ZERO = "22012";
    /** The bytes are not text in the database's encoding. */
    public static final String NOT_IN_REPERTOIRE = "22021";

    public static final String INVALID_TEXT = "22P02";
    /** The database cannot store a character. */
    public static final String UNTRANSLATABLE_CHARACTER = "22P05";

    public static final String NOT_NULL_VIOLATION = "23502";
    public static final String UNIQUE_VIOLATION = "23505";
    /** Also a row for which no partition exists. */
    public static final String CHECK_VIOLATION = "23514";
    /** The server is a standby, or a primary that was demoted. */
    public static final String READ_ONLY_TRANSACTION = "25006";

    public static final String TRANSACTION_TIMEOUT = "25P04";

    public static final String INVALID_AUTHORIZATION = "28000";
    public static final String INVALID_PASSWORD = "28P01";
    public static final String UNDEFINED_DATABASE = "3D000";
    public static final String SERIALIZATION_FAILURE = "40001";
    public static final String INSUFFICIENT_PRIVILEGE = "42501";
    public static final String DATATYPE_MISMATCH = "42804";
    /** Such as a type. Each table has one with its name. */
    public static final String DUPLICATE_OBJECT = "42710";

    public static final String UNDEFINED_COLUMN = "42703";
    public static final String UNDEFINED_TABLE = "42P01";
    public static final String DUPLICATE_TABLE = "42P07";

    /** No unique index is on exactly the columns of an {@code ON CONFLICT}. */
    public static final String INVALID_COLUMN_REFERENCE = "42P10";

    public static final String INSUFFICIENT_RESOURCES = "53000";
    public static final String LOCK_NOT_AVAILABLE = "55P03";
    public static final String QUERY_CANCELED = "57014";
    public static final String TOO_MANY_CONNECTIONS = "53300";
    /** An error for which there is no other state. Citus returns it for what it does not support. */
    public static final String INTERNAL_ERROR = "XX000";

    private SqlState() {}
}
