package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.JsonPath;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.settings.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * How records become documents and what writing one means.
 *
 * @param id where ids come from
 * @param nullValues what becomes of tombstones
 * @param writeMethod what a record does to the document with its id
 * @param version where versions come from
 * @param routing what decides about a document's shard in place of its id
 */
public record DocumentSettings(
        IdSource id,
        NullValues nullValues,
        WriteMethod writeMethod,
        VersionSource version,
        Optional<Template> routing) {
    public static final String KEY_IGNORE = "key.ignore";
    public static final String DOCUMENT_ID = "document.id";
    public static final String BEHAVIOR_ON_NULL_VALUES = "behavior.on.null.values";
    public static final String WRITE_METHOD = "write.method";
    public static final String EXTERNAL_VERSION = "external.version";
    public static final String ROUTING = "routing";

    private static final String AUTO = "auto";
    private static final String NONE = "none";
    private static final String GROUP = "Documents";

    public DocumentSettings {
        requireNonNull(id, "id");
        requireNonNull(nullValues, "nullValues");
        requireNonNull(writeMethod, "writeMethod");
        requireNonNull(version, "version");
        requireNonNull(routing, "routing");
    }

    public static ConfigDef define(ConfigDef def) {
        return defineWrites(defineIds(def));
    }

    private static ConfigDef defineIds(ConfigDef def) {
        int order = 0;
        return def.define(
                        KEY_IGNORE,
                        Type.BOOLEAN,
                        false,
                        Importance.HIGH,
                        "Where a document's id comes from when " + DOCUMENT_ID
                                + " is `auto`. false: from the record's key;" + " true: from its coordinates.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Ignore keys")
                .define(
                        DOCUMENT_ID,
                        Type.STRING,
                        AUTO,
                        Checks.<String>parses(
                                "auto, key, coordinates, none or a template", text -> idSource(text, false)),
                        Importance.MEDIUM,
                        "Where a document's id comes from. `key`: from the record's key, a string, number, boolean or UTF-8"
                                + " bytes. `coordinates`: `topic+partition+offset` of the record. `none`: Elasticsearch makes"
                                + " one for each write, so a request that is sent again because no answer came may double its"
                                + " documents. A template as in " + IndexSettings.INDEX_NAME
                                + " (without groups), such as"
                                + " `${field:$.station.id}` or `${header:id}`. `auto`: as " + KEY_IGNORE
                                + " says. An id has at most 512 bytes.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Document id")
                .define(
                        EXTERNAL_VERSION,
                        Type.STRING,
                        AUTO,
                        Checks.<String>parses(
                                "auto, offset, none or a template", text -> versionSource(text, VersionSource.NONE)),
                        Importance.LOW,
                        "`offset` makes the record's offset the document's version, so that records delivered again change"
                                + " nothing and an older one never replaces a newer one. That needs each key to stay in one"
                                + " partition of one topic: offsets of different partitions do not compare, and in a topic"
                                + " that was deleted and made anew they start again, so that its records count as old."
                                + " A template as in " + IndexSettings.INDEX_NAME
                                + " (without groups) that gives a whole"
                                + " number, such as `${header:version}` or `${field:$.version}`, takes the version from there."
                                + " `none` leaves versions to Elasticsearch. `auto` is `offset` when ids come from keys and "
                                + WRITE_METHOD + " is `index`, and `none` otherwise.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "External version")
                .define(
                        ROUTING,
                        Type.STRING,
                        "",
                        Checks.<String>parses("a template", DocumentSettings::routing),
                        Importance.LOW,
                        "What decides about a document's shard in place of its id: a template as in "
                                + IndexSettings.INDEX_NAME
                                + " (without groups), such as `${field:$.station.id}`. A record"
                                + " that lacks a part is refused. Empty for the id.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Routing");
    }

    private static ConfigDef defineWrites(ConfigDef def) {
        int order = 4;
        return def.define(
                        WRITE_METHOD,
                        Type.STRING,
                        WriteMethod.INDEX.settingName(),
                        ValidString.in(Stream.concat(
                                        Stream.of(WriteMethod.values()).map(WriteMethod::settingName),
                                        Stream.of(WriteMethod.INSERT))
                                .toArray(String[]::new)),
                        Importance.MEDIUM,
                        "`index` creates a document or replaces the one with its id; `create` leaves one that is there as it"
                                + " is, and is what data streams need; `update` merges the record's fields into a document"
                                + " and refuses a record that has none; `upsert` creates it then. `insert` is another name"
                                + " for `index`. Records of one id are merged in their order, each in a request of its own.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Write method")
                .define(
                        BEHAVIOR_ON_NULL_VALUES,
                        Type.STRING,
                        "fail",
                        ValidString.in("ignore", "delete", "fail"),
                        Importance.MEDIUM,
                        "What becomes of a record whose value is null: `ignore` passes it over; `delete` deletes the document"
                                + " with its id; `fail` refuses it.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Null values");
    }

    public static DocumentSettings from(AbstractConfig config) {
        IdSource id = idSource(config.getString(DOCUMENT_ID), config.getBoolean(KEY_IGNORE));
        WriteMethod method = WriteMethod.of(config.getString(WRITE_METHOD));
        boolean keyed = id.kind() == IdSource.Kind.KEY && method == WriteMethod.INDEX;
        return new DocumentSettings(
                id,
                NullValues.valueOf(config.getString(BEHAVIOR_ON_NULL_VALUES).toUpperCase(Locale.ROOT)),
                method,
                versionSource(config.getString(EXTERNAL_VERSION), keyed ? VersionSource.OFFSET : VersionSource.NONE),
                routing(config.getString(ROUTING)));
    }

    private static IdSource idSource(String text, boolean keyIgnore) {
        return switch (text.trim()) {
            case AUTO -> keyIgnore ? IdSource.COORDINATES : IdSource.KEY;
            case "key" -> IdSource.KEY;
            case "coordinates" -> IdSource.COORDINATES;
            case NONE -> IdSource.NONE;
            default -> IdSource.of(template(text, "auto, key, coordinates, none"));
        };
    }

    private static VersionSource versionSource(String text, VersionSource auto) {
        return switch (text.trim()) {
            case AUTO -> auto;
            case "offset" -> VersionSource.OFFSET;
            case NONE -> VersionSource.NONE;
            default -> VersionSource.of(template(text, "auto, offset, none"));
        };
    }

    private static Optional<Template> routing(String text) {
        return text.isBlank() ? Optional.empty() : Optional.of(template(text, ""));
    }

    private static Template template(String text, String words) {
        Template template = Template.parse(text.trim());
        template.checkGroups(Optional.empty());
        if (template.isFixed()) {
            throw new IllegalArgumentException((words.isEmpty() ? "it is no" : "it is none of " + words + ", and no")
                    + " template with a place such as ${key} or ${field:$.id}");
        }
        return template;
    }

    /** The fields of a record's value that lanes ask for: versions and routing. */
    public Set<JsonPath> laneFields() {
        return Stream.concat(version.template().stream(), routing.stream())
                .flatMap(template -> template.fields().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Whether a later document makes an earlier one of a batch with the same id pointless. Not when documents are only
     * created, where the first counts; not when they are merged; and not when a version may make the later one the older.
     * Where each record has an id of its own there is nothing to look for.
     */
    public boolean lastWriteWins() {
        return writeMethod == WriteMethod.INDEX && id.isShared() && version.kind() != VersionSource.Kind.TEMPLATE;
    }

    /** Whether two documents with one id must not be in one request: one item might fail and be written after the other. */
    public boolean isOrderedById() {
        return writeMethod != WriteMethod.INDEX && id.isShared();
    }

    /** Whether documents may go to data streams, and so to their failure stores: those take new documents only. */
    public boolean mayWriteToDataStream() {
        return writeMethod == WriteMethod.CREATE;
    }

    /** What does not go together. */
    public List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        if (nullValues == NullValues.DELETE && !id.isShared()) {
            problems.add(new Problem(
                    BEHAVIOR_ON_NULL_VALUES,
                    "`delete` needs ids that a record without a value has too; set " + KEY_IGNORE + "=false or "
                            + DOCUMENT_ID + "=key"));
        }
        if (nullValues == NullValues.DELETE && asksForFields()) {
            problems.add(new Problem(
                    BEHAVIOR_ON_NULL_VALUES,
                    "`delete` is not possible with " + DOCUMENT_ID + ", " + EXTERNAL_VERSION + " or " + ROUTING
                            + " from a field: a record without a value has none"));
        }
        if (version.isExternal() && writeMethod != WriteMethod.INDEX) {
            problems.add(new Problem(
                    EXTERNAL_VERSION,
                    "Elasticsearch allows no external version with " + WRITE_METHOD + "=" + writeMethod.settingName()));
        }
        if (id.kind() == IdSource.Kind.NONE && version.isExternal()) {
            problems.add(
                    new Problem(EXTERNAL_VERSION, "a version needs an id, and " + DOCUMENT_ID + "=none gives none"));
        }
        if (writeMethod.isMerge() && !id.isShared()) {
            problems.add(new Problem(
                    WRITE_METHOD,
                    writeMethod.settingName() + " needs ids that records share: " + DOCUMENT_ID
                            + "=key or a template"));
        }
        return problems;
    }

    private boolean asksForFields() {
        return Stream.of(id.template(), version.template(), routing)
                .flatMap(Optional::stream)
                .anyMatch(template -> !template.fields().isEmpty());
    }
}
