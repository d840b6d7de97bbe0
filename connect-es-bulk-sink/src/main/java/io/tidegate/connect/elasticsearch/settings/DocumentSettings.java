package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.NullValues;
import java.util.Locale;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * How records become documents and what writing one means.
 *
 * @param keyIgnore whether ids come from the record's coordinates instead of its key
 * @param nullValues what becomes of tombstones
 * @param writeMethod what a record does to the document with its id
 * @param externalVersion whether a document's version is its record's offset, so that an older record never replaces a
 *     newer one
 */
public record DocumentSettings(
        boolean keyIgnore, NullValues nullValues, WriteMethod writeMethod, boolean externalVersion) {
    public static final String KEY_IGNORE = "key.ignore";
    public static final String BEHAVIOR_ON_NULL_VALUES = "behavior.on.null.values";
    public static final String WRITE_METHOD = "write.method";
    public static final String EXTERNAL_VERSION = "external.version";

    /** Values of {@link #EXTERNAL_VERSION}. */
    public static final String VERSION_AUTO = "auto";

    public static final String VERSION_OFFSET = "offset";
    public static final String VERSION_NONE = "none";

    private static final String GROUP = "Documents";

    public DocumentSettings {
        requireNonNull(nullValues, "nullValues");
        requireNonNull(writeMethod, "writeMethod");
    }

    public static ConfigDef define(ConfigDef def) {
        int order = 0;
        return def.define(
                        KEY_IGNORE,
                        Type.BOOLEAN,
                        false,
                        Importance.HIGH,
                        "Where a document's id comes from. false: from the record's key, which must be a string, number,"
                                + " boolean or UTF-8 bytes of at most 512 bytes. true: `topic+partition+offset` of the record.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Ignore keys")
                .define(
                        BEHAVIOR_ON_NULL_VALUES,
                        Type.STRING,
                        "fail",
                        ValidString.in("ignore", "delete", "fail"),
                        Importance.MEDIUM,
                        "What becomes of a record whose value is null: `ignore` passes it over; `delete` deletes the document"
                                + " with its key; `fail` refuses it.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Null values")
                .define(
                        WRITE_METHOD,
                        Type.STRING,
                        WriteMethod.INDEX.action(),
                        ValidString.in(WriteMethod.INDEX.action(), WriteMethod.CREATE.action(), WriteMethod.INSERT),
                        Importance.MEDIUM,
                        "`index` creates a document or replaces the one with its id; `create` leaves one that is there as it"
                                + " is, and is what data streams need. `insert` is another name for `index`.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Write method")
                .define(
                        EXTERNAL_VERSION,
                        Type.STRING,
                        VERSION_AUTO,
                        ValidString.in(VERSION_AUTO, VERSION_OFFSET, VERSION_NONE),
                        Importance.LOW,
                        "`offset` makes the record's offset the document's version, so that records delivered again change"
                                + " nothing and an older one never replaces a newer one. That needs each key to stay in one"
                                + " partition of one topic: offsets of different partitions do not compare, and in a topic"
                                + " that was deleted and made anew they start again, so that its records count as old."
                                + " `none` leaves versions to Elasticsearch. `auto` is `offset` when ids come from keys and "
                                + WRITE_METHOD + " is `index`, and `none` otherwise.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "External version");
    }

    public static DocumentSettings from(AbstractConfig config) {
        boolean keyIgnore = config.getBoolean(KEY_IGNORE);
        WriteMethod method = WriteMethod.of(config.getString(WRITE_METHOD));
        boolean versioned =
                switch (config.getString(EXTERNAL_VERSION)) {
                    case VERSION_OFFSET -> true;
                    case VERSION_NONE -> false;
                    default -> !keyIgnore && method == WriteMethod.INDEX;
                };
        return new DocumentSettings(
                keyIgnore,
                NullValues.valueOf(config.getString(BEHAVIOR_ON_NULL_VALUES).toUpperCase(Locale.ROOT)),
                method,
                versioned);
    }
}
