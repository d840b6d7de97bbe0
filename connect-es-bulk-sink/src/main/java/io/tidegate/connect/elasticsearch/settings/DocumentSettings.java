package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.FieldDefaults;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.frame.FramingSettings;
import io.tidegate.connect.common.settings.DefaultsSetting;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Ordering;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.common.value.JsonPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * How records become documents, and what writing a document means.
 *
 * @param id where ids come from
 * @param nullValues how tombstones are handled
 * @param writeMethod how a record changes the document with its id
 * @param methodOfRecord where each record names its own method, if {@code writeMethod} says so
 * @param version where versions come from
 * @param routing what selects a document's shard
 * @param metadata the fields for the records' metadata
 * @param eventTime where the documents' times come from
 * @param defaults how nulls in optional fields with a default are read
 * @param redriven whether records may be older than what is stored, and than records that came before them
 */
public record DocumentSettings(
        IdSource id,
        NullValues nullValues,
        WriteMethod writeMethod,
        Optional<Template> methodOfRecord,
        VersionSource version,
        RoutingSource routing,
        List<MetadataField> metadata,
        EventTime eventTime,
        FieldDefaults defaults,
        boolean redriven) {
    public static final String KEY_IGNORE = "key.ignore";
    public static final String DOCUMENT_ID = "document.id";
    public static final String BEHAVIOR_ON_NULL_VALUES = "behavior.on.null.values";
    public static final String WRITE_METHOD = "write.method";
    public static final String EXTERNAL_VERSION = "external.version";
    public static final String EXTERNAL_VERSION_TYPE = "external.version.type";
    public static final String ROUTING = "routing";
    public static final String METADATA_FIELDS = "metadata.fields";

    /** The field of a document's time. */
    public static final String TIMESTAMP = "@timestamp";

    private static final String AUTO = "auto";
    private static final String NONE = "none";
    private static final String PER_REQUEST = "per_request";

    public DocumentSettings {
        requireNonNull(id, "id");
        requireNonNull(nullValues, "nullValues");
        requireNonNull(writeMethod, "writeMethod");
        requireNonNull(methodOfRecord, "methodOfRecord");
        requireNonNull(version, "version");
        requireNonNull(routing, "routing");
        metadata = List.copyOf(metadata);
        requireNonNull(eventTime, "eventTime");
        requireNonNull(defaults, "defaults");
    }

    public static ConfigDef define(ConfigDef def) {
        SettingGroup documents =
                DefaultsSetting.define(EventTime.define(added(writes(ids(new SettingGroup(def, "Documents"))))));
        return FormatSettings.define(FramingSettings.define(documents)).configDef();
    }

    private static SettingGroup ids(SettingGroup group) {
        return group.flag(KEY_IGNORE, "Ignore keys", false)
                .onlyIf(DOCUMENT_ID, AUTO::equals)
                .high("Where a document's id comes from if " + DOCUMENT_ID
                        + " is `auto`. false: from the record's key; true: from its coordinates.")
                .text(DOCUMENT_ID, "Document id", AUTO)
                .parsedBy("auto, key, coordinates, none or a template", text -> idSource(text, false))
                .medium("Where a document's id comes from. `key`: from the record's key, a string, number, boolean or"
                        + " UTF-8 bytes. `coordinates`: `topic+partition+offset` of the record. `none`: Elasticsearch"
                        + " makes one for each write, so a request that is sent again because the response was lost may"
                        + " duplicate"
                        + " its documents. A template as in " + IndexSettings.INDEX_NAME
                        + " (without groups), such as `${field:$.station.id}` or `${header:id}`. `auto`: as "
                        + KEY_IGNORE
                        + " says. An id has at most 512 bytes.")
                .text(EXTERNAL_VERSION, "External version", AUTO)
                .parsedBy(
                        "auto, offset, source_position, none or a template",
                        text -> versionSource(text, VersionSource.NONE))
                .onlyIf(WRITE_METHOD, method -> allowsVersion(WriteMethod.of((String) method)))
                .low("Where a document's version comes from. `offset`: the record's offset. Records that are delivered"
                        + " again then change nothing, and an older record never replaces a newer one. Each key must"
                        + " stay in one partition of one topic: offsets of different partitions cannot be compared, and"
                        + " in a topic that was deleted and created again they start at 0, so its records count as old."
                        + " "
                        + "`source_position`: the position of a change event in the source's log, which compares across"
                        + " topics and partitions. A"
                        + " template as in " + IndexSettings.INDEX_NAME + " (without groups) that gives a whole number,"
                        + " such as `${header:version}` or `${field:$.version}`. `none`: Elasticsearch counts versions."
                        + " `auto`: `offset` if ids come from keys and " + WRITE_METHOD
                        + " is `index`, otherwise `none`.")
                .oneOf(EXTERNAL_VERSION_TYPE, "External version type", VersionSource.Type.EXTERNAL)
                .onlyIf(EXTERNAL_VERSION, version -> !version.equals(NONE))
                .low(
                        "Which version replaces the one in the index: `external`, a higher one; `external_gte`, a higher or"
                                + " an equal one (always so for source_position, which changes of one transaction may share). With"
                                + " `external_gte` a record that is delivered again is written again, with"
                                + " the same result, and of two records with equal versions the later one stays.")
                .text(ROUTING, "Routing", "")
                .parsedBy("per_request or a template", DocumentSettings::routing)
                .low("The value that selects a document's shard instead of its id: a template as in "
                        + IndexSettings.INDEX_NAME + " (without groups), such as `${field:$.station.id}`. A record that"
                        + " lacks a part is refused. `per_request`, with " + DOCUMENT_ID + "=none: all documents of a"
                        + " request go to one shard, those of the next request to another. With several shards this is"
                        + " less work for the server. A document is then read by its id only with the `_routing` that a"
                        + " search shows. Empty for the id.");
    }

    private static SettingGroup writes(SettingGroup group) {
        return group.oneOf(WRITE_METHOD, "Write method", WriteMethod.INDEX, WriteMethod.FOR_ALL)
                .parsedBy("index, create, update, upsert, insert or a template", WriteMethod::of)
                .medium("What a record does to the document with its id. `index` creates or replaces it. `create`"
                        + " creates it and keeps an existing one; data streams need this. `update` merges the"
                        + " record's fields into it and refuses a record without a document. `upsert` merges"
                        + " too, and creates a missing document; records with the same id are merged in order. `insert` is"
                        + " another name for `index`. A template as in " + IndexSettings.INDEX_NAME
                        + " (without groups), such as `${header:op}` or"
                        + " `${field:$.op}`: each record gives one of these words, or `delete`; a record that gives none"
                        + " of them is refused.")
                .oneOf(BEHAVIOR_ON_NULL_VALUES, "Null values", NullValues.FAIL)
                .medium("How a record without a value is handled: `ignore` skips it, `delete` deletes the document with"
                        + " its id, `fail` refuses it.");
    }

    private static SettingGroup added(SettingGroup group) {
        return group.list(METADATA_FIELDS, "Metadata fields")
                .parsedBy("source or source:name", MetadataField::parse)
                .low("Fields of a document for its record's metadata, separated by commas: any of `topic`, `partition`,"
                        + " `offset`, `timestamp`, `timestamp_type`, `key`, `headers`, or `source:name`. Alone, a"
                        + " field is called `kafka.source`. Dots in a name lead into objects. A document that has a"
                        + " field of the first part of a name is refused. What a record does not have is null.");
    }

    public static DocumentSettings from(AbstractConfig config) {
        IdSource id = idSource(config.getString(DOCUMENT_ID), config.getBoolean(KEY_IGNORE));
        WriteMethod method = WriteMethod.of(config.getString(WRITE_METHOD));
        boolean keyed = id.kind() == IdSource.Kind.KEY && method.isReplace();
        return new DocumentSettings(
                id,
                EnumSetting.read(config, BEHAVIOR_ON_NULL_VALUES, NullValues.class),
                method,
                method == WriteMethod.BY_RECORD
                        ? Optional.of(template(config.getString(WRITE_METHOD), ""))
                        : Optional.empty(),
                versionSource(config.getString(EXTERNAL_VERSION), keyed ? VersionSource.OFFSET : VersionSource.NONE)
                        .comparedBy(EnumSetting.read(config, EXTERNAL_VERSION_TYPE, VersionSource.Type.class)),
                routing(config.getString(ROUTING)),
                MetadataField.parse(config.getList(METADATA_FIELDS)),
                EventTime.from(config),
                FieldDefaults.appliedIf(DefaultsSetting.isSet(config)),
                false);
    }

    /** The same for dead letters, which may be older than what is stored. */
    public DocumentSettings forRedrive() {
        boolean isShared = id.isShared() && !version.isExternal();
        return new DocumentSettings(
                id,
                nullValues,
                isShared ? writeMethod.onMissing().orElse(writeMethod) : writeMethod,
                methodOfRecord,
                version,
                routing,
                metadata,
                eventTime,
                defaults,
                true);
    }

    /** Whether an existing document must not be changed, because nothing shows that it is older. */
    public boolean keepsExisting() {
        return redriven && id.isShared() && !version.isExternal();
    }

    private static boolean allowsVersion(WriteMethod method) {
        return method.isReplace() || method == WriteMethod.BY_RECORD;
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
            case "source_position" -> VersionSource.POSITION;
            case NONE -> VersionSource.NONE;
            default -> VersionSource.of(template(text, "auto, offset, source_position, none"));
        };
    }

    private static RoutingSource routing(String text) {
        return switch (text.trim()) {
            case "" -> RoutingSource.ID;
            case PER_REQUEST -> RoutingSource.REQUEST;
            default -> RoutingSource.of(template(text, PER_REQUEST));
        };
    }

    static Template template(String text, String words) {
        Template template = Template.parse(text.trim());
        template.checkGroups(Optional.empty());
        if (template.isFixed()) {
            throw new IllegalArgumentException((words.isEmpty() ? "it is no" : "it is none of " + words + ", and no")
                    + " template with a place such as ${key} or ${field:$.id}");
        }
        return template;
    }

    /** The fields of a record's value that lanes need: write methods, versions, routing and event times. */
    public Set<JsonPath> laneFields() {
        return Stream.of(
                        methodOfRecord.stream(),
                        version.template().stream(),
                        routing.template().stream(),
                        eventTime.sources().stream())
                .flatMap(templates -> templates)
                .flatMap(template -> template.fields().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Whether a later document replaces an earlier one of a batch with the same id. It does not if documents are only
     * created, because then the first counts, or if they are merged, or if a version may make the later document the
     * older one, as a redrive may. If each record has a different id, there is nothing to replace.
     */
    public boolean lastWriteWins() {
        boolean mayLoseToEarlier =
                version.kind() == VersionSource.Kind.TEMPLATE || version.kind() == VersionSource.Kind.POSITION;
        return writeMethod.isReplace() && id.isShared() && !mayLoseToEarlier && !redriven;
    }

    /**
     * Whether one request must not contain an id twice: the first document might fail and be written after the second.
     */
    public boolean isOrderedById() {
        return (writeMethod.isCreate() || isMixed() || version.isTied()) && id.isShared();
    }

    /** Whether documents may go to data streams and their failure stores. Data streams accept only new documents. */
    public boolean mayWriteToDataStream() {
        return writeMethod.isCreate() || isMixed();
    }

    /** Whether each record has its own write method. */
    private boolean isMixed() {
        return writeMethod == WriteMethod.BY_RECORD;
    }

    /** The settings that do not fit together. */
    public List<Problem> problems(Ordering ordering, EnvelopeSettings envelope) {
        List<Problem> problems = new ArrayList<>();
        if (ordering == Ordering.NONE && needsOrder()) {
            problems.add(new Problem(
                    LaneSettings.ORDERING,
                    "`none` lets an older record of an id be written after a newer one; set `partition` or `key`"
                            + (allowsVersion(writeMethod) ? ", or " + adviceOnVersions() : "")));
        }
        if (nullValues == NullValues.DELETE && !id.isShared()) {
            problems.add(new Problem(
                    BEHAVIOR_ON_NULL_VALUES,
                    "`delete` needs ids that a record without a value has too; set " + KEY_IGNORE + "=false or "
                            + DOCUMENT_ID + "=key"));
        }
        if (nullValues == NullValues.DELETE && asksForFields() && envelope.isNone()) {
            problems.add(new Problem(
                    BEHAVIOR_ON_NULL_VALUES,
                    "`delete` is not possible with " + DOCUMENT_ID + ", " + EXTERNAL_VERSION + " or " + ROUTING
                            + " from a field: a record without a value has none"));
        }
        checkEnvelope(envelope, problems);
        if (version.isExternal() && !allowsVersion(writeMethod)) {
            problems.add(new Problem(
                    EXTERNAL_VERSION,
                    "Elasticsearch allows no external version with " + WRITE_METHOD + "="
                            + EnumSetting.text(writeMethod)));
        }
        if (id.kind() == IdSource.Kind.NONE && version.isExternal()) {
            problems.add(
                    new Problem(EXTERNAL_VERSION, "a version needs an id, and " + DOCUMENT_ID + "=none gives none"));
        }
        if (routing.isPerRequest() && id.kind() != IdSource.Kind.NONE) {
            problems.add(new Problem(
                    ROUTING,
                    "`" + PER_REQUEST + "` needs " + DOCUMENT_ID + "=none: a record that is written again would go to"
                            + " another shard, and its id would be there twice"));
        }
        if (writeMethod.isMerge() && !id.isShared()) {
            problems.add(new Problem(
                    WRITE_METHOD,
                    EnumSetting.text(writeMethod) + " needs ids that records share: " + DOCUMENT_ID
                            + "=key or a template"));
        }
        return problems;
    }

    private void checkEnvelope(EnvelopeSettings envelope, List<Problem> problems) {
        if (version.kind() == VersionSource.Kind.POSITION && envelope.isNone()) {
            problems.add(new Problem(
                    EXTERNAL_VERSION,
                    "only change events have a source_position; see " + EnvelopeSettings.VALUE_ENVELOPE));
        }
        if (envelope.keepsUnavailable() && !writeMethod.isMerge()) {
            problems.add(new Problem(
                    EnvelopeSettings.UNAVAILABLE_VALUES,
                    "keep leaves a column out of the document, and only " + WRITE_METHOD
                            + "=upsert or update keeps the old one"));
        }
        if (envelope.keepsUnavailable() && !envelope.jsonColumns().isEmpty()) {
            problems.add(new Problem(
                    EnvelopeSettings.JSON_COLUMNS,
                    "Elasticsearch would merge the objects of these columns with the older ones, and fields that the"
                            + " source removed would stay; with " + EnvelopeSettings.UNAVAILABLE_VALUES
                            + "=keep leave it empty"));
        }
    }

    /** Whether deletions can be written for records without a value, from the record's key alone. */
    public boolean deletesByKeyAlone() {
        return nullValues == NullValues.DELETE && version.kind() != VersionSource.Kind.POSITION && !asksForFields();
    }

    private String adviceOnVersions() {
        return version.isTied() && version.kind() != VersionSource.Kind.POSITION
                ? EXTERNAL_VERSION_TYPE + "=external"
                : EXTERNAL_VERSION;
    }

    /** Whether the result depends on the order in which records of one id are written. */
    private boolean needsOrder() {
        boolean keepsFirst = writeMethod.isCreate() && nullValues != NullValues.DELETE;
        boolean versionsDecide = version.isExternal() && !version.isTied();
        return id.isShared() && !versionsDecide && !keepsFirst;
    }

    private boolean asksForFields() {
        return Stream.of(id.template(), version.template(), routing.template())
                .flatMap(Optional::stream)
                .anyMatch(template -> !template.fields().isEmpty());
    }
}
