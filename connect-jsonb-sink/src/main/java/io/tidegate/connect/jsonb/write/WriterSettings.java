package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.UnknownFields;
import io.tidegate.connect.jsonb.sql.Dialect;
import io.tidegate.connect.jsonb.sql.TableCreation;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the writers of all lanes have in common.
 *
 * @param creation how a missing table is created; empty if it is not
 * @param addsColumns whether a table gets columns for fields that have none
 * @param leavesOutNew whether such fields are left out of rows instead
 * @param isNamedByRecord whether a document's table depends on more than its topic
 * @param overrides the errors that are not handled as the failure table says
 * @param dialect what the server has shown that it does not take
 * @param kept logs the records that met rows which stayed
 */
public record WriterSettings(
        RowSettings row,
        InsertSettings insert,
        Optional<TableCreation> creation,
        boolean addsColumns,
        boolean leavesOutNew,
        Predicate<Document> isNamedByRecord,
        ErrorOverrides overrides,
        Dialect dialect,
        KeptRows kept) {
    public WriterSettings {
        requireNonNull(row, "row");
        requireNonNull(insert, "insert");
        requireNonNull(creation, "creation");
        requireNonNull(isNamedByRecord, "isNamedByRecord");
        requireNonNull(overrides, "overrides");
        requireNonNull(dialect, "dialect");
        requireNonNull(kept, "kept");
    }

    /** Of a task. */
    public WriterSettings(
            RowSettings row,
            InsertSettings insert,
            Optional<TableCreation> creation,
            boolean addsColumns,
            Predicate<Document> isNamedByRecord,
            ErrorOverrides overrides,
            Dialect dialect) {
        this(row, insert, creation, addsColumns, false, isNamedByRecord, overrides, dialect, KeptRows.of(row, insert));
    }

    /**
     * The same for writers that add no columns, because the lock of the table would stay until the session's end. Their fields
     * are no reason to refuse a record.
     */
    public WriterSettings withoutAddition() {
        boolean leavesOutNew = addsColumns && row.fields().unknown() == UnknownFields.REFUSE;
        return new WriterSettings(
                row, insert, creation, false, leavesOutNew, isNamedByRecord, overrides, dialect, kept);
    }
}
