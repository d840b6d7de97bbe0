package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.settings.InsertMethod;
import java.util.List;

/** Chooses how rows are sent. One lane uses it. */
public final class InsertStrategy {
    /**
     * A COPY costs the server less than arrays, but it has a second round trip, and a separate commit where a batch has
     * several tables. It pays from this many rows or this many bytes of JSON on.
     */
    private static final int ROWS_WORTH_A_COPY = 1_000;

    private static final int BYTES_WORTH_A_COPY = 256 << 10;

    private final InsertMethod method;
    private final ValuesInsert values;
    private final UnnestInsert unnest;
    private final CopyInsert copy;
    private boolean copies = true;

    public InsertStrategy(InsertMethod method, RowSql sql) {
        this.method = requireNonNull(method, "method");
        this.values = new ValuesInsert(sql);
        this.unnest = new UnnestInsert(sql);
        this.copy = new CopyInsert(sql);
    }

    /** Most rows that one statement can take, however they are sent. */
    public int maxRows() {
        return method == InsertMethod.VALUES ? values.maxRows() : unnest.maxRows();
    }

    /**
     * Chooses how to send some rows.
     *
     * @param onConflict whether existing rows have to be resolved
     */
    public RowInsert choose(TableShape shape, List<Document> rows, boolean onConflict) {
        return switch (method) {
            case VALUES -> values;
            case UNNEST -> unnest;
            case COPY -> canCopy(shape, onConflict) ? copy : unnest;
            case AUTO -> canCopy(shape, onConflict) && isWorthACopy(rows) ? copy : unnest;
        };
    }

    private boolean canCopy(TableShape shape, boolean onConflict) {
        return copies && !onConflict && copy.fits(shape);
    }

    private static boolean isWorthACopy(List<Document> rows) {
        if (rows.size() >= ROWS_WORTH_A_COPY) {
            return true;
        }
        long bytes = 0;
        for (Document row : rows) {
            bytes += row.json().length();
        }
        return bytes >= BYTES_WORTH_A_COPY;
    }

    /** Stops using COPY from now on. */
    public void avoidCopy() {
        copies = false;
    }

    /** Whether the operator set {@code insert.method=copy}. */
    public boolean isCopyDemanded() {
        return method == InsertMethod.COPY;
    }
}
