package io.tidegate.connect.jsonb.settings;

import static io.tidegate.connect.common.settings.Problem.when;
import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.RowField;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * How rows are written.
 *
 * @param mode how an existing row with the same key is handled
 * @param method how rows are sent
 * @param deletes whether a record without a value deletes the row with its key
 * @param guard what keeps an older record from replacing a newer row
 * @param skipsUnchanged whether an update that changes nothing is skipped
 * @param redriven whether records may be older than what is stored, and than records that came before them
 */
public record InsertSettings(
        InsertMode mode,
        InsertMethod method,
        boolean deletes,
        StaleGuard guard,
        boolean skipsUnchanged,
        boolean redriven) {
    static final String INSERT_MODE = "insert.mode";
    static final String INSERT_METHOD = "insert.method";
    public static final String DELETE_ENABLED = "delete.enabled";
    static final String STALE_WRITE_GUARD = "stale.write.guard";
    static final String SKIP_UNCHANGED = "skip.unchanged";

    public InsertSettings {
        requireNonNull(mode, "mode");
        requireNonNull(method, "method");
        requireNonNull(guard, "guard");
    }

    public static ConfigDef define(ConfigDef def) {
        return new SettingGroup(def, "Writing")
                .oneOf(INSERT_MODE, "Insert mode", InsertMode.INSERT)
                .high("What happens to an existing row with the same key. `insert`: the table's constraints"
                        + " decide; a row that is stored with the same values counts as written, if the role has"
                        + " `SELECT` and a unique index is on exactly the key columns, or without a key on the"
                        + " metadata columns `topic`, `partition` and `offset`. `upsert` replaces the row. `ignore`"
                        + " keeps it. `merge` adds the fields of the new document to it (`doc || EXCLUDED.doc`) if"
                        + " both are objects, and replaces it if not.")
                .oneOf(INSERT_METHOD, "Insert method", InsertMethod.AUTO)
                .low("How rows are sent. `values`: a multi-row INSERT. `unnest`: arrays. `copy`: a binary COPY,"
                        + " the cheapest for the server, which only appends to columns of exact types. `auto`: the"
                        + " cheapest that fits. All write the same rows.")
                .flag(DELETE_ENABLED, "Deletes", false)
                .medium("Whether a record without a value, or a change event that deletes, deletes the row with its"
                        + " key. Needs `pk.mode=record_key`, or with `value.envelope=debezium` also `record_value`. If"
                        + " false, `behavior.on.null.values` applies.")
                .text(STALE_WRITE_GUARD, "Stale write guard", StaleGuard.NONE.setting())
                .low(
                        "How `upsert` and `merge` keep an older record from replacing a newer row. `none`: not at"
                                + " all. `offset`: by the columns `topic`, `partition` and `offset` of `metadata.columns`; a"
                                + " record of another partition always replaces the row. `source_position`: by a change"
                                + " event's position in the source's log. Or a column of a field, such as a version: one of"
                                + " `extract.columns`, or any with `columns.from.fields`. The last two compare across topics and partitions. A record with an equal value is written.")
                .flag(SKIP_UNCHANGED, "Skip unchanged", false)
                .low("Whether `upsert` and `merge` leave a row alone if its columns from the value would not"
                        + " change: no new row version, and no WAL but for a lock. In a `jsonb` document, `1.5` and"
                        + " `1.50` are equal. The metadata columns then stay as they"
                        + " are, so `stale.write.guard` must not compare them.")
                .configDef();
    }

    public static InsertSettings from(AbstractConfig config) {
        return new InsertSettings(
                EnumSetting.read(config, INSERT_MODE, InsertMode.class),
                EnumSetting.read(config, INSERT_METHOD, InsertMethod.class),
                config.getBoolean(DELETE_ENABLED),
                StaleGuard.of(config.getString(STALE_WRITE_GUARD)),
                config.getBoolean(SKIP_UNCHANGED),
                false);
    }

    /**
     * The same for dead letters, which may be older than what is stored, and the same record twice. Where nothing
     * compares the two, an existing row stays.
     */
    public InsertSettings forRedrive(RowSettings row) {
        boolean isKept = mode.isUpdating() && (guard.isNone() || !row.keyMode().isRepeating());
        return new InsertSettings(
                isKept ? InsertMode.IGNORE : mode, method, deletes, guard, skipsUnchanged && !isKept, true);
    }

    /** The columns by which a statement finds existing rows ({@code ON CONFLICT}); none if it looks for none. */
    public List<Column> conflictKey(RowSettings row) {
        return mode.isResolving() ? row.keyColumns() : List.of();
    }

    /**
     * Settings that do not fit together, or do not fit these rows.
     *
     * @param areTablesCreated whether the sink creates missing tables
     */
    public List<Problem> problems(RowSettings row, EnvelopeSettings envelope, boolean areTablesCreated) {
        boolean isRepeating = row.keyMode().isRepeating();
        boolean isStored = row.metadata().stream().anyMatch(metadata -> metadata.input() == RowField.SOURCE_POSITION);
        String changesNothing = INSERT_MODE + "=" + EnumSetting.text(mode) + " replaces nothing";
        return Problem.of(
                when(
                        mode.isResolving() && row.keyMode() == KeyMode.NONE,
                        RowSettings.PK_MODE,
                        INSERT_MODE + "=" + EnumSetting.text(mode)
                                + " needs to know what identifies a row: kafka, record_key or record_value"),
                when(
                        deletes && row.keyMode() != KeyMode.RECORD_KEY && (envelope.isNone() || !isRepeating),
                        DELETE_ENABLED,
                        "deleting needs " + RowSettings.PK_MODE + "=record_key"),
                when(
                        envelope.isNone() && isStored,
                        RowSettings.METADATA_COLUMNS,
                        "only change events have a source_position; see " + EnvelopeSettings.VALUE_ENVELOPE),
                when(
                        envelope.keepsUnavailable() && !mode.isMerging(),
                        EnvelopeSettings.UNAVAILABLE_VALUES,
                        "keep leaves a column out of the document, and only " + INSERT_MODE
                                + "=merge keeps the old one"),
                when(
                        method == InsertMethod.COPY && (mode.isUpdating() || !row.isPlain()),
                        INSERT_METHOD,
                        "copy only appends, and computes nothing: it goes with " + INSERT_MODE
                                + "=insert or ignore, without " + RowSettings.EXTRACT_COLUMNS
                                + ", and with a key of no more than one field"),
                guard.problem(row, areTablesCreated).map(message -> new Problem(STALE_WRITE_GUARD, message)),
                when(!mode.isUpdating() && !guard.isNone(), STALE_WRITE_GUARD, changesNothing),
                when(!mode.isUpdating() && skipsUnchanged, SKIP_UNCHANGED, changesNothing),
                when(
                        mode.isUpdating() && skipsUnchanged && !guard.isNone() && !guard.isField(),
                        SKIP_UNCHANGED,
                        "a row that is left alone keeps an older position, so " + STALE_WRITE_GUARD
                                + " could not tell which record is newer"));
    }

    /** What does not follow the source's table when values are change events; each is a sentence. */
    public List<String> warningsOfChanges(KeyMode key) {
        List<String> warnings = new ArrayList<>();
        if (!deletes) {
            warnings.add(DELETE_ENABLED + " is false, so rows stay that the source has deleted");
        }
        if (mode == InsertMode.IGNORE && key.isRepeating()) {
            warnings.add(INSERT_MODE + "=ignore keeps the first row of each key, so updates are dropped; use upsert");
        } else if (!mode.isUpdating()) {
            warnings.add(INSERT_MODE + "=" + EnumSetting.text(mode) + " replaces no row, so updates are added as rows,"
                    + " or refused by a unique key; if the table is to be a copy of the source's, use upsert");
        }
        return warnings;
    }

    /** What would go wrong without an order of records, in words; empty if nothing would. */
    public Optional<String> needOfOrder(RowSettings row) {
        if (!row.keyMode().isRepeating()) {
            return Optional.empty();
        }
        if (deletes) {
            return Optional.of(DELETE_ENABLED + " could delete a row before it is written");
        }
        if (mode == InsertMode.IGNORE) {
            return Optional.of(INSERT_MODE + "=ignore could keep a later row instead of the first one of its key");
        }
        if (mode.isMerging()) {
            return Optional.of(INSERT_MODE + "=merge could put an older field over a newer one");
        }
        // Offsets say nothing of another partition, and the events of a transaction may share a source position.
        boolean isGuarded = guard.isField();
        return mode.isUpdating() && !isGuarded
                ? Optional.of(INSERT_MODE + "=upsert could put an older row over a newer one; " + STALE_WRITE_GUARD
                        + " by a column whose values differ would keep it from that")
                : Optional.empty();
    }

    /**
     * Whether only the last of several records with one key matters. This is false
     *
     * <ul>
     *   <li>if documents are merged,
     *   <li>if a later record may lose against an earlier one, as a redriven one may,
     *   <li>with columns from fields, because a field that a document lacks leaves its column's value, or takes the
     *       default after a deletion,
     *   <li>with exactly once: if the last record of a key is refused, an earlier one must be written, but its offset was
     *       already committed.
     * </ul>
     */
    public boolean lastWriteWins(RowSettings row, boolean isExactlyOnce) {
        return !isExactlyOnce
                && !row.fields().isOn()
                && !redriven
                && mode.isUpdating()
                && !mode.isMerging()
                && !guard.isField()
                && !guard.isSourcePosition();
    }
}
