package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.Problem;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * How rows are written.
 *
 * @param mode what becomes of a row that is there already
 * @param method how rows are sent
 * @param deletes whether a record without a value deletes the row with its key
 * @param guard what keeps an older record from replacing a newer row
 * @param skipsUnchanged whether an update that changes nothing is left out
 */
public record InsertSettings(
        InsertMode mode, InsertMethod method, boolean deletes, StaleGuard guard, boolean skipsUnchanged) {
    static final String INSERT_MODE = "insert.mode";
    static final String INSERT_METHOD = "insert.method";
    static final String DELETE_ENABLED = "delete.enabled";
    static final String STALE_WRITE_GUARD = "stale.write.guard";
    static final String SKIP_UNCHANGED = "skip.unchanged";

    private static final String GROUP = "Writing";

    public InsertSettings {
        requireNonNull(mode, "mode");
        requireNonNull(method, "method");
        requireNonNull(guard, "guard");
    }

    public static ConfigDef define(ConfigDef def) {
        int order = 0;
        return def.define(
                        INSERT_MODE,
                        Type.STRING,
                        "insert",
                        ValidString.in(SettingNames.of(InsertMode.values())),
                        Importance.HIGH,
                        "What becomes of a row with the same key: `insert` leaves it to the table's constraints, `upsert`"
                                + " replaces it, `ignore` keeps it, so that a record delivered twice is written once, `merge`"
                                + " puts the new document's fields into it (`doc || EXCLUDED.doc`).",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Insert mode")
                .define(
                        INSERT_METHOD,
                        Type.STRING,
                        "auto",
                        ValidString.in(SettingNames.of(InsertMethod.values())),
                        Importance.LOW,
                        "How rows are sent: `values` as a multi-row INSERT, `unnest` as arrays, `copy` as a binary COPY, which is"
                                + " the cheapest for the server and takes plain appends into columns of exact types, or"
                                + " `auto`, which takes the cheapest that fits. All make the same rows.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Insert method")
                .define(
                        DELETE_ENABLED,
                        Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        "Whether a record without a value deletes the row with its key; needs `pk.mode=record_key`. If not,"
                                + " such records are passed over.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Deletes")
                .define(
                        STALE_WRITE_GUARD,
                        Type.STRING,
                        StaleGuard.NONE.setting(),
                        Importance.LOW,
                        "What keeps an older record from replacing a newer row with `upsert` and `merge`: `none`; `offset`, which"
                                + " compares the offset in the column of `metadata.columns`; or one of `extract.columns`, say"
                                + " a version or a time in the document. Equal ones are written.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Stale write guard")
                .define(
                        SKIP_UNCHANGED,
                        Type.BOOLEAN,
                        false,
                        Importance.LOW,
                        "Whether `upsert` and `merge` leave a row alone when its document and the columns taken out of it would"
                                + " stay as they are: no new row version, no WAL. The metadata columns then keep what the"
                                + " last change wrote.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Skip unchanged");
    }

    public static InsertSettings from(AbstractConfig config) {
        return new InsertSettings(
                SettingNames.valueOf(InsertMode.class, config.getString(INSERT_MODE)),
                SettingNames.valueOf(InsertMethod.class, config.getString(INSERT_METHOD)),
                config.getBoolean(DELETE_ENABLED),
                new StaleGuard(config.getString(STALE_WRITE_GUARD)),
                config.getBoolean(SKIP_UNCHANGED));
    }

    /** What does not go together, nor with these rows. */
    public List<Problem> problems(RowSettings row) {
        List<Problem> problems = new ArrayList<>();
        if (mode != InsertMode.INSERT && row.keyMode() == KeyMode.NONE) {
            problems.add(new Problem(
                    RowSettings.PK_MODE,
                    INSERT_MODE + "=" + SettingNames.of(mode)
                            + " needs to know what identifies a row: kafka, record_key or record_value"));
        }
        if (deletes && row.keyMode() != KeyMode.RECORD_KEY) {
            problems.add(new Problem(DELETE_ENABLED, "deleting needs " + RowSettings.PK_MODE + "=record_key"));
        }
        if (method == InsertMethod.COPY && (mode.isUpdating() || !row.isPlain())) {
            problems.add(new Problem(
                    INSERT_METHOD,
                    "copy only appends, and computes nothing: it goes with " + INSERT_MODE
                            + "=insert or ignore, without " + RowSettings.EXTRACT_COLUMNS
                            + ", and with a key of no more than one field"));
        }
        checkUpdates(row, problems);
        return problems;
    }

    private void checkUpdates(RowSettings row, List<Problem> problems) {
        guard.problem(row).ifPresent(message -> problems.add(new Problem(STALE_WRITE_GUARD, message)));
        if (!mode.isUpdating() && !guard.isNone()) {
            problems.add(
                    new Problem(STALE_WRITE_GUARD, INSERT_MODE + "=" + SettingNames.of(mode) + " replaces nothing"));
        }
        if (!mode.isUpdating() && skipsUnchanged) {
            problems.add(new Problem(SKIP_UNCHANGED, INSERT_MODE + "=" + SettingNames.of(mode) + " replaces nothing"));
        }
    }

    /**
     * Whether only the last of several records with one key matters. Not when documents are merged, nor when a later
     * record may lose against an earlier one. Not with exactly once either: should the last record of a key be refused, an
     * earlier one would have to be written that lies behind the offset which is committed by then.
     */
    public boolean lastWriteWins(boolean isExactlyOnce) {
        return !isExactlyOnce && mode == InsertMode.UPSERT && !guard.isField();
    }
}
