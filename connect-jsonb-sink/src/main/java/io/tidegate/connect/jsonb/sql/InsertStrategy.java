package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.settings.InsertMethod;

/** Chooses how rows are sent. One lane uses it. */
public final class InsertStrategy {
    /** Below this many rows, a COPY saves the server nothing over arrays, and its second round trip costs time. */
    private static final int WORTH_A_COPY = 1_000;

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
    public RowInsert choose(TableShape shape, int rows, boolean onConflict) {
        return switch (method) {
            case VALUES -> values;
            case UNNEST -> unnest;
            case COPY -> !copies || onConflict || !copy.fits(shape) ? unnest : copy;
            case AUTO -> !copies || rows < WORTH_A_COPY || onConflict || !copy.fits(shape) ? unnest : copy;
        };
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
