package io.tidegate.connect.jsonb.row;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import org.postgresql.util.PSQLState;

/** A field that is sent for each row. The server makes one or several columns from it. */
public enum RowField implements RowInput {
    VALUE(WireType.JSON) {
        @Override
        public ByteSlice bytes(Document row, MetadataEncoder encoder) throws SQLException {
            return row.json();
        }
    },
    /** The key that identifies the row: the text of its only field, or a JSON array of several. */
    KEY(WireType.TEXT) {
        @Override
        public ByteSlice bytes(Document row, MetadataEncoder encoder) throws SQLException {
            return ByteSlice.of(row.key());
        }
    },
    TOPIC(WireType.TEXT) {
        @Override
        public ByteSlice bytes(Document row, MetadataEncoder encoder) throws SQLException {
            return ByteSlice.of(row.topicUtf8());
        }
    },
    PARTITION(WireType.INT4) {
        @Override
        public long number(Document row) {
            return row.partition();
        }
    },
    OFFSET(WireType.INT8) {
        @Override
        public long number(Document row) {
            return row.recordOffset();
        }
    },
    /** The position of a change event in the source's log. */
    SOURCE_POSITION(WireType.INT8) {
        @Override
        public long number(Document row) {
            return row.position() == Document.NO_POSITION ? NO_NUMBER : row.position();
        }
    },
    TIMESTAMP(WireType.TIMESTAMPTZ) {
        @Override
        public long number(Document row) throws SQLException {
            Long millis = row.record().timestamp();
            if (millis == null || millis < 0) {
                return NO_NUMBER;
            }
            if (millis >= END_OF_TIME_MS) {
                throw new SQLException(
                        "the record's timestamp is past the year 294276, where PostgreSQL's time ends: its producer may"
                                + " not count in milliseconds",
                        DATETIME_OVERFLOW);
            }
            return (millis - MILLIS_TO_2000) * 1_000;
        }
    },
    /** The record's key as text, even if something else identifies the row. */
    RECORD_KEY(WireType.TEXT) {
        @Override
        public ByteSlice bytes(Document row, MetadataEncoder encoder) throws SQLException {
            return readable(() -> encoder.keyOf(row.record()));
        }
    },
    HEADERS(WireType.JSON) {
        @Override
        public ByteSlice bytes(Document row, MetadataEncoder encoder) throws SQLException {
            return readable(() -> encoder.headersOf(row.record()));
        }
    };

    /** A text that is NULL. It is compared by identity. */
    public static final ByteSlice NO_BYTES = ByteSlice.of(new byte[0]);

    /** A number that is NULL. */
    public static final long NO_NUMBER = Long.MIN_VALUE;

    /** Milliseconds from 1970, where Kafka's timestamps begin, to 2000, where PostgreSQL's begin. */
    private static final long MILLIS_TO_2000 = 946_684_800_000L;

    /**
     * The first millisecond since 1970 that {@code timestamptz} cannot hold: {@code END_TIMESTAMP} in PostgreSQL's
     * sources.
     */
    private static final long END_OF_TIME_MS = 9_224_318_016_000_000L;

    private static final String DATETIME_OVERFLOW = "22008";

    private final WireType wire;

    RowField(WireType wire) {
        this.wire = wire;
    }

    @Override
    public WireType wire() {
        return wire;
    }

    @Override
    public boolean isOfValue() {
        return this == VALUE;
    }

    /** Whether {@link #bytes} gives the value, rather than {@link #number}. */
    public boolean isText() {
        return wire == WireType.JSON || wire == WireType.TEXT;
    }

    /**
     * The value of a row in UTF-8, or {@link #NO_BYTES}.
     *
     * @throws SQLException if the value cannot be encoded, with the state of a data error
     */
    public ByteSlice bytes(Document row, MetadataEncoder encoder) throws SQLException {
        throw new UnsupportedOperationException(name());
    }

    /**
     * The value of a row in the unit of its wire type, or {@link #NO_NUMBER}.
     *
     * @throws SQLException if the value cannot be encoded, with the state of a data error
     */
    public long number(Document row) throws SQLException {
        throw new UnsupportedOperationException(name());
    }

    /** A value without a JSON form is the record's fault, so the error looks like the server's. */
    private static ByteSlice readable(Supplier<Optional<ByteSlice>> encoding) throws SQLException {
        try {
            return encoding.get().orElse(NO_BYTES);
        } catch (RefusedException e) {
            throw new SQLException(e.getMessage(), PSQLState.DATA_ERROR.getState(), e);
        }
    }
}
