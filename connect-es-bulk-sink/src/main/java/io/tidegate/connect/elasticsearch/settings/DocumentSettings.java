package io.tidegate.connect.elasticsearch.settings;

import static io.tidegate.connect.common.settings.Problem.when;
import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.DestinationTemplates;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.frame.FramingSettings;
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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * How records become documents, and what writing a document means.
 *
 * @param id where ids come from
 * @param nullValues how tombstones are handled
 * @param writeMethod how a record changes the document with its id
 * @param methodOfRecord where each record names its own method, if {@code writeMethod} says so
 * @param version where versions come from
 * @param routing what selects a document's shard instead of its id
 * @param isRoutedByRequest whether each request goes to one shard, the next one to another; only for ids that
 *     Elasticsearch makes
 * @param metadata the fields for the records' metadata
 * @param eventTime where the documents' times come from
 * @param redriven whether records may be older than what is stored, and than records that came before them
 */
public record DocumentSettings(
        IdSource id,
        NullValues nullValues,
        WriteMethod writeMethod,
        Optional<Template> methodOfRecord,
        VersionSource version,
        Optional<Template> routing,
        boolean isRoutedByRequest,
        List<MetadataField> metadata,
        EventTime eventTime,
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
    }

    public static ConfigDef define(ConfigDef def) {
        SettingGroup documents = EventTime.define(added(writes(ids(new SettingGroup(def, "Documents")))));
        return FormatSettings.define(FramingSettings.define(documents)).configDef();
    }

    private static SettingGroup ids(SettingGroup group) {
        return group.flag(KEY_IGNORE, "Ignore keys", false)
                .high("Where a document's id comes from if " + DOCUMENT_ID
                        + " is `auto`. false: from the record's key; true: from its coordinates.")
                .text(DOCUMENT_ID, "Document id", AUTO)
                .parsedBy("auto, key, coordinates, none or a template", text -> idSource(text, false))
                .medium("Where a document's id comes from. `key`: the record's key, a string, number, boolean or"
                        + " UTF-8 bytes. `coordinates`: `topic+partition+offset`. `none`: Elasticsearch makes one for"
                        + " each write, so a request that is sent again may duplicate its documents. A template as in "
                        + IndexSettings.INDEX_NAME + " (without groups), such as `${header:id}`. `auto`: as "
                        + KEY_IGNORE + " says. An id has at most 512 bytes.")
                .text(EXTERNAL_VERSION, "External version", AUTO)
                .parsedBy(
                        "auto, offset, source_position, none or a template",
                        text -> versionSource(text, VersionSource.NONE))
                .low("Where a document's version comes from. `offset`: the record's offset, so that an older"
                        + " record never replaces a newer one. In each index a key must stay in one partition of one topic that is never recreated. `source_position`: a change event's position in the source's log. A"
                        + " template as in " + IndexSettings.INDEX_NAME + " (without groups) that gives a whole"
                        + " number, such as `${header:version}`. `none`: Elasticsearch counts versions. `auto`:"
                        + " `offset` if ids come from keys and " + WRITE_METHOD + " is `index`; with ids from"
                        + " coordinates a number from the record's timestamp, so that the task fails instead of"
                        + " replacing documents of an earlier topic; otherwise `none`.")
                .oneOf(EXTERNAL_VERSION_TYPE, "External version type", VersionSource.Type.EXTERNAL)
                .low("Which version replaces the one in the index: `external`, a higher one; `external_gte`, a"
                        + " higher or an equal one (always so for `source_position`, and for `auto` with ids from coordinates). With `external_gte` a redelivery"
                        + " is written again, and of two records with equal versions the later one stays.")
                .text(ROUTING, "Routing", "")
                .parsedBy("per_request or a template", DocumentSettings::routing)
                .low("The value that selects a document's shard instead of its id: a template as in "
                        + IndexSettings.INDEX_NAME + " (without groups). A record that lacks a part is malformed."
                        + " `per_request`, with " + DOCUMENT_ID + "=none: all documents of a request go to one shard,"
                        + " which is less work for several shards; reading one by its id then needs its `_routing`."
                        + " Empty for the id.");
    }

    private static SettingGroup writes(SettingGroup group) {
        return group.oneOf(WRITE_METHOD, "Write method", WriteMethod.INDEX, WriteMethod.FOR_ALL)
                .parsedBy("index, create, update, upsert, insert or a template", WriteMethod::of)
                .medium("What a record does to the document with its id. `index`, or `insert`, creates or replaces"
                        + " it. `create` creates it and keeps an existing one; data streams need this. `update` merges"
                        + " the record's fields into it and refuses a record without a document. `upsert` merges too,"
                        + " and creates a missing document. Or a template as in " + IndexSettings.INDEX_NAME
                        + " (without groups), such as `${header:op}`, that gives one of these words or `delete`; a"
                        + " record that gives another is malformed.")
                .oneOf(BEHAVIOR_ON_NULL_VALUES, "Null values", NullValues.FAIL)
                .medium("What happens to a record without a value: `ignore` skips it, `delete` deletes the document"
                        + " with its id, `fail` refuses it.");
    }

    private static SettingGroup added(SettingGroup group) {
        return group.list(METADATA_FIELDS, "Metadata fields")
                .parsedBy("source or source:name", MetadataField::parse)
                .low("Fields of a document for its record's metadata: any of `topic`, `partition`, `offset`,"
                        + " `timestamp`, `timestamp_type`, `key`, `headers`, or `source:name`. Alone, a field is"
                        + " called `kafka.source`. Dots in a name lead into objects. A document that already has a"
                        + " field of the first part of a name is malformed.");
    }

    public static DocumentSettings from(AbstractConfig config) {
        IdSource id = idSource(config.getString(DOCUMENT_ID), config.getBoolean(KEY_IGNORE));
        WriteMethod method = WriteMethod.of(config.getString(WRITE_METHOD));
        return new DocumentSettings(
                id,
                EnumSetting.read(config, BEHAVIOR_ON_NULL_VALUES, NullValues.class),
                method,
                method == WriteMethod.BY_RECORD
                        ? Optional.of(template(config.getString(WRITE_METHOD), ""))
                        : Optional.empty(),
                versionSource(config.getString(EXTERNAL_VERSION), autoVersion(id, method))
                        .comparedBy(EnumSetting.read(config, EXTERNAL_VERSION_TYPE, VersionSource.Type.class)),
                routing(config.getString(ROUTING)),
                isRoutedByRequest(config.getString(ROUTING)),
                MetadataField.parse(config.getList(METADATA_FIELDS)),
                EventTime.from(config),
                false);
    }

    /** The same for dead letters, which may be older than what is stored. */
    public DocumentSettings forRedrive() {
        boolean isCompared = version.isExternal() && !version.isOfLog();
        return new DocumentSettings(
                id,
                nullValues,
                isCompared ? writeMethod : writeMethod.onMissing().orElse(writeMethod),
                methodOfRecord,
                isCompared ? version : VersionSource.NONE,
                routing,
                isRoutedByRequest,
                metadata,
                eventTime,
                true);
    }

    /** Which versions replace the one in the index. An equal one is no later one if it is redriven. */
    public VersionSource.Type versionType() {
        return redriven ? VersionSource.Type.EXTERNAL : version.type();
    }

    /** Whether an equal version in the index may be of a later document, or of an earlier one. */
    public boolean isUnsureOfEqualVersions() {
        return redriven && version.isTied();
    }

    /** Whether an existing document must not be changed, because nothing shows that it is older. */
    public boolean keepsExisting() {
        return redriven && !version.isExternal();
    }

    private static boolean allowsVersion(WriteMethod method) {
        return method.isReplace() || method == WriteMethod.BY_RECORD;
    }

    private static VersionSource autoVersion(IdSource id, WriteMethod method) {
        return switch (id.kind()) {
            case KEY -> method.isReplace() ? VersionSource.OFFSET : VersionSource.NONE;
            case COORDINATES -> allowsVersion(method) ? VersionSource.LOG : VersionSource.NONE;
            case NONE, TEMPLATE -> VersionSource.NONE;
        };
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

    private static boolean isRoutedByRequest(String text) {
        return text.trim().equals(PER_REQUEST);
    }

    private static Optional<Template> routing(String text) {
        return text.isBlank() || isRoutedByRequest(text) ? Optional.empty() : Optional.of(template(text, PER_REQUEST));
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
                        routing.stream(),
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

    /** Whether versions are in the records' values. */
    private boolean isVersionOfRow() {
        return version.template().stream()
                .anyMatch(template -> !template.fields().isEmpty());
    }

    /** Whether a record's time is in its document's id, or selects its shard. */
    private boolean isPlacedByTime() {
        return Stream.of(id.template(), routing).flatMap(Optional::stream).anyMatch(Template::isOfTime);
    }

    /** Whether each record has its own write method. */
    private boolean isMixed() {
        return writeMethod == WriteMethod.BY_RECORD;
    }

    /** The settings that do not fit together. */
    public List<Problem> problems(Ordering ordering, EnvelopeSettings envelope) {
        boolean deletes = nullValues == NullValues.DELETE;
        boolean hasIds = id.kind() != IdSource.Kind.NONE;
        return Problem.of(
                when(
                        ordering == Ordering.NONE && needsOrder(),
                        LaneSettings.ORDERING,
                        "`none` lets an older record of an id be written after a newer one"
                                + (mayDelete()
                                        ? ", also after its deletion, whose version Elasticsearch forgets; set"
                                                + " `partition` or `key`"
                                        : "; set `partition` or `key`"
                                                + (allowsVersion(writeMethod) ? ", or " + adviceOnVersions() : ""))),
                when(
                        ordering == Ordering.KEY && !hasIds,
                        LaneSettings.ORDERING,
                        "`key` needs ids, and " + DOCUMENT_ID
                                + "=none gives none; set `partition`, or `none` to append in any order"),
                when(
                        deletes && !id.isShared(),
                        BEHAVIOR_ON_NULL_VALUES,
                        "`delete` needs ids that a record without a value has too; set " + KEY_IGNORE + "=false or "
                                + DOCUMENT_ID + "=key"),
                when(
                        deletes && asksForFields() && envelope.isNone(),
                        BEHAVIOR_ON_NULL_VALUES,
                        "`delete` is not possible with " + DOCUMENT_ID + ", " + EXTERNAL_VERSION + " or " + ROUTING
                                + " from a field: a record without a value has none"),
                when(
                        deletes && isPlacedByTime() && !eventTime.isKeptByDeletions(!envelope.isNone()),
                        BEHAVIOR_ON_NULL_VALUES,
                        "with `delete`: a deletion has its own time, so " + DOCUMENT_ID + " or " + ROUTING
                                + " with `${timestamp:...}` misses what is to be deleted, and nothing reports it"),
                when(
                        deletes
                                && !envelope.isNone()
                                && isVersionOfRow()
                                && version.type() == VersionSource.Type.EXTERNAL,
                        EXTERNAL_VERSION_TYPE,
                        "an event that deletes a row has the row's version, so its document would stay; set"
                                + " external_gte"),
                when(
                        version.kind() == VersionSource.Kind.POSITION && envelope.isNone(),
                        EXTERNAL_VERSION,
                        "only change events have a source_position; see " + EnvelopeSettings.VALUE_ENVELOPE),
                when(
                        envelope.keepsUnavailable() && !writeMethod.isMerge(),
                        EnvelopeSettings.UNAVAILABLE_VALUES,
                        "keep leaves a column out of the document, and only " + WRITE_METHOD
                                + "=upsert or update keeps the old one"),
                when(
                        envelope.keepsUnavailable() && !envelope.jsonColumns().isEmpty(),
                        EnvelopeSettings.JSON_COLUMNS,
                        "Elasticsearch would merge the objects of these columns with the older ones, and fields that"
                                + " the source removed would stay; with " + EnvelopeSettings.UNAVAILABLE_VALUES
                                + "=keep leave it empty"),
                when(
                        version.isExternal() && !allowsVersion(writeMethod),
                        EXTERNAL_VERSION,
                        "Elasticsearch allows no external version with " + WRITE_METHOD + "="
                                + EnumSetting.text(writeMethod)),
                when(
                        id.kind() == IdSource.Kind.COORDINATES && version.kind() == VersionSource.Kind.OFFSET,
                        EXTERNAL_VERSION,
                        "with ids from coordinates a record of a topic that was created again has the id and the offset"
                                + " of the earlier one, and would count as written; use auto"),
                when(
                        !hasIds && version.isExternal(),
                        EXTERNAL_VERSION,
                        "a version needs an id, and " + DOCUMENT_ID + "=none gives none"),
                when(
                        isRoutedByRequest && hasIds,
                        ROUTING,
                        "`" + PER_REQUEST + "` needs " + DOCUMENT_ID + "=none: a record that is written again would go"
                                + " to another shard, and its id would be there twice"),
                when(
                        writeMethod.isMerge() && !id.isShared(),
                        WRITE_METHOD,
                        EnumSetting.text(writeMethod) + " needs ids that records share: " + DOCUMENT_ID
                                + "=key or a template"));
    }

    /** What does not follow the source's table when values are change events, as a sentence. */
    public Optional<String> warning(EnvelopeSettings envelope) {
        if (envelope.isNone()) {
            return Optional.empty();
        }
        if (writeMethod.isCreate() && id.isShared()) {
            return Optional.of(WRITE_METHOD
                    + "=create keeps the first document of each id, so updates of change events are dropped; use index, or "
                    + DOCUMENT_ID + "=coordinates for a history");
        }
        boolean isMerging = writeMethod.isMerge() || isMixed();
        boolean areMerged =
                !envelope.keepsUnavailable() && !envelope.jsonColumns().isEmpty(); // else it is refused
        return Optional.of(EnvelopeSettings.JSON_COLUMNS
                        + ": upsert and update merge the objects of these columns with the"
                        + " older ones, so fields that the source removed stay; leave it empty, or set "
                        + WRITE_METHOD + "=index")
                .filter(warning -> isMerging && areMerged);
    }

    /** Whether a record that has no value can be written as a deletion. */
    public boolean deletesBy(SinkRecord tombstone) {
        return nullValues == NullValues.DELETE
                && version.kind() != VersionSource.Kind.POSITION
                && templates().allMatch(template -> template.isOf(tombstone))
                && (!isPlacedByTime() || eventTime.isOf(tombstone));
    }

    /** Whether a document depends on its record's key. */
    public boolean readsKey() {
        return id.kind() == IdSource.Kind.KEY
                || metadata.stream().anyMatch(field -> field.source() == MetadataField.Source.KEY)
                || Stream.of(templates(), methodOfRecord.stream(), eventTime.sources().stream())
                        .flatMap(templates -> templates)
                        .anyMatch(Template::isOfKey);
    }

    /** Whether a template gives the same document another text after its row has changed. */
    private boolean readsRow(Template template) {
        return !template.fields().isEmpty()
                || (template.isOfTime() && !eventTime.fields().isEmpty());
    }

    /** Whether the row alone decides: where it has no time, that of the record counts. */
    private static boolean readsOnlyRow(Template template) {
        return !template.fields().isEmpty() && !template.isOfTime();
    }

    /** The settings that find an older document by the row alone; none if no older document is replaced or deleted. */
    public List<String> placesOfRows(DestinationTemplates names) {
        boolean isOfTime = names.all().anyMatch(Template::isOfTime);
        return fieldReaders(names, template -> !isOfTime && readsOnlyRow(template));
    }

    private List<String> fieldReaders(DestinationTemplates names, Predicate<Template> isReader) {
        if (!id.isShared() || (writeMethod.isCreate() && nullValues != NullValues.DELETE)) {
            return List.of();
        }
        List<String> readers = new ArrayList<>();
        if (names.all().anyMatch(isReader)) {
            readers.add(IndexSettings.INDEX_NAME);
        }
        id.template().filter(isReader).ifPresent(template -> readers.add(DOCUMENT_ID));
        routing.filter(isReader).ifPresent(template -> readers.add(ROUTING));
        return readers;
    }

    /** The settings by which a change event finds an older document, or deletes it. */
    public List<String> readersOfOlderRows(DestinationTemplates names) {
        List<String> readers = new ArrayList<>(fieldReaders(names, this::readsRow));
        if (nullValues == NullValues.DELETE && isVersionOfRow()) {
            readers.add(EXTERNAL_VERSION);
        }
        return readers;
    }

    private String adviceOnVersions() {
        return version.isTied() && version.kind() != VersionSource.Kind.POSITION
                ? EXTERNAL_VERSION_TYPE + "=external"
                : EXTERNAL_VERSION;
    }

    /**
     * Whether the result depends on the order in which records of one id are written. Versions do not replace it where
     * documents are deleted: Elasticsearch forgets the version of a deletion after {@code index.gc_deletes}.
     */
    private boolean needsOrder() {
        return id.isShared() && (!version.isExternal() || version.isTied() || mayDelete());
    }

    /** Whether a record may delete a document. */
    public boolean mayDelete() {
        return nullValues == NullValues.DELETE || (isMixed() && id.isShared());
    }

    private boolean asksForFields() {
        return templates().anyMatch(template -> !template.fields().isEmpty());
    }

    /** What gives a deletion its id, version and shard. */
    private Stream<Template> templates() {
        return Stream.of(id.template(), version.template(), routing).flatMap(Optional::stream);
    }
}
