package io.tidegate.connect.elasticsearch.settings;

import static io.tidegate.connect.common.settings.Problem.when;
import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.DestinationTemplates;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.document.TemplateDestinations;
import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.KnownTopics;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.common.settings.TransformTypes;
import io.tidegate.connect.common.value.RefusedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Where documents go.
 *
 * @param names the index of a record
 * @param type what the names stand for
 * @param definitionFile settings and mappings of an index that does not exist
 * @param templateFile a composable index template
 * @param templateName the name of that template
 * @param pipeline the ingest pipeline that documents pass through; a record may name it
 * @param areTopicsOfTime whether a transform puts a record's time into the name of its topic, and so into that of an index
 */
public record IndexSettings(
        DestinationTemplates names,
        DestinationType type,
        Optional<Path> definitionFile,
        Optional<Path> templateFile,
        String templateName,
        Optional<Template> pipeline,
        boolean areTopicsOfTime) {
    public static final String INDEX_NAME = "index.name";
    public static final String TOPIC_INDEX_MAP = "topic.index.map";
    public static final String TOPIC_INDEX_REGEX = "topic.index.regex";
    public static final String DESTINATION_TYPE = "destination.type";
    public static final String INDEX_DEFINITION_FILE = "index.definition.file";
    public static final String INDEX_TEMPLATE_FILE = "index.template.file";
    public static final String INDEX_TEMPLATE_NAME = "index.template.name";
    public static final String PIPELINE = "pipeline";

    /** Means no pipeline, not even the index's own. */
    public static final String NO_PIPELINE = "_none";

    public IndexSettings {
        requireNonNull(names, "names");
        requireNonNull(type, "type");
        requireNonNull(definitionFile, "definitionFile");
        requireNonNull(templateFile, "templateFile");
        requireNonNull(templateName, "templateName");
        requireNonNull(pipeline, "pipeline");
    }

    public static ConfigDef define(ConfigDef def) {
        return creation(names(new SettingGroup(def, "Index"))).configDef();
    }

    private static SettingGroup names(SettingGroup group) {
        return group.text(INDEX_NAME, "Index", "${topic}")
                .parsedBy("a name that Elasticsearch allows, or a template", IndexSettings::checked)
                .medium("The index, alias or data stream to write to, as a template. `${topic}` is the record's"
                        + " topic, `${1}` or `${name}` a group of " + TOPIC_INDEX_REGEX + ", `${timestamp:yyyy.MM.dd}`"
                        + " its time (its timestamp, or " + EventTime.EVENT_TIME + ") in UTC by a date pattern,"
                        + " `${key}` its key, `${header:name}` the last header of that name, `${field:$.a.b}` a"
                        + " string, number or boolean of its value. Upper case letters become lower case. A record"
                        + " that lacks a part, or gives a name that Elasticsearch does not allow, is refused.")
                .list(TOPIC_INDEX_MAP, "Index by topic")
                .parsedBy("topic:index pairs", IndexSettings::ownNames)
                .low("Topics whose index differs from " + INDEX_NAME
                        + ", as `topic:index,topic:index`. An index may be a template, without groups.")
                .text(TOPIC_INDEX_REGEX, "Regular expression over topics", "")
                .parsedBy("a regular expression", DestinationTemplates::topicPattern)
                .low("A Java regular expression that matches the whole topic. " + INDEX_NAME + " may use its"
                        + " groups: with `(.+)\\.(.+)`, `${2}-${1}` turns `prod.tides` into `tides-prod`. Records of"
                        + " other topics are refused, unless " + TOPIC_INDEX_MAP + " names the topic. Empty for none.")
                .oneOf(DESTINATION_TYPE, "Destination type", DestinationType.ANY)
                .medium("What the names stand for. `any`: an index, alias or data stream; if nothing has the name,"
                        + " the server may create an index. `alias`: only an alias (`require_alias`). `data_stream`:"
                        + " only a data stream (`require_data_stream`, Elasticsearch 8.13 or newer; not checked by"
                        + " OpenSearch); needs " + DocumentSettings.WRITE_METHOD + "=create, and a document without"
                        + " `@timestamp` gets its record's timestamp, or its " + EventTime.EVENT_TIME + ".");
    }

    private static SettingGroup creation(SettingGroup group) {
        return group.text(INDEX_DEFINITION_FILE, "Index definition", "")
                .medium("The path of a JSON file on the worker with the `settings` and `mappings` of an index, from"
                        + " which a missing index is created before the first write. Empty to leave that to Elasticsearch"
                        + " and its templates.")
                .text(INDEX_TEMPLATE_FILE, "Index template", "")
                .medium("The path of a JSON file on the worker with a composable index template, which is created"
                        + " under " + INDEX_TEMPLATE_NAME + " before the first write. An existing template of that"
                        + " name is not changed. Needs the privilege `manage_index_templates`. Empty for none.")
                .text(INDEX_TEMPLATE_NAME, "Name of the index template", "tidegate")
                .nonEmpty()
                .low("The name of the template in " + INDEX_TEMPLATE_FILE + ".")
                .text(PIPELINE, "Ingest pipeline", "")
                .parsedBy("a name or a template", IndexSettings::pipeline)
                .low("The ingest pipeline: a name, or a template as in " + INDEX_NAME + " (without groups), such"
                        + " as `${header:pipeline}`. A record that lacks a part is malformed. `_none` is no pipeline."
                        + " Empty for the index's default pipeline.");
    }

    /**
     * Typed values.
     *
     * @throws IllegalArgumentException when {@link #INDEX_NAME} names a group that {@link #TOPIC_INDEX_REGEX} lacks
     */
    public static IndexSettings from(AbstractConfig config) {
        DestinationTemplates names = new DestinationTemplates(
                List.of(checked(config.getString(INDEX_NAME))),
                ownNames(config.getList(TOPIC_INDEX_MAP)),
                DestinationTemplates.topicPattern(config.getString(TOPIC_INDEX_REGEX)));
        return new IndexSettings(
                names,
                EnumSetting.read(config, DESTINATION_TYPE, DestinationType.class),
                nonEmpty(config.getString(INDEX_DEFINITION_FILE)).map(Path::of),
                nonEmpty(config.getString(INDEX_TEMPLATE_FILE)).map(Path::of),
                config.getString(INDEX_TEMPLATE_NAME).trim(),
                pipeline(config.getString(PIPELINE)),
                names.moveWithTime(true, TransformTypes.timestampRouter(config.originalsStrings())));
    }

    private static Optional<Template> pipeline(String text) {
        Optional<Template> template = nonEmpty(text).map(Template::parse);
        template.ifPresent(parsed -> parsed.checkGroups(Optional.empty()));
        return template;
    }

    /** The pipeline of all documents. */
    public Optional<String> pipelineOfAll() {
        return pipeline.filter(Template::isFixed).map(Template::toString);
    }

    /** Where each record names its own pipeline. */
    public Optional<Template> pipelineOfRecord() {
        return pipeline.filter(template -> !template.isFixed());
    }

    /** Whether one record's pipeline may be missing. */
    boolean recordsNamePipelines() {
        return pipelineOfRecord().isPresent();
    }

    /** Whether a record that has no value names its index. */
    public boolean isNamedBy(SinkRecord tombstone, DocumentSettings documents) {
        return names.isOf(tombstone)
                && (!names.isOfTime(tombstone.topic()) || documents.eventTime().isOf(tombstone));
    }

    /**
     * Checks what a record may do to a document that exists.
     *
     * @throws RefusedException when that would not reach the document, or bypass the pipeline
     */
    public void check(WriteMethod ofRecord, String topic, DocumentSettings documents) {
        if (ofRecord.isMerge() && pipeline.isPresent()) {
            throw new RefusedException("Elasticsearch ignores a pipeline with write method "
                    + EnumSetting.text(ofRecord) + ", so the document would be stored without it; see " + PIPELINE);
        }
        boolean isOfRecordTime = areTopicsOfTime
                || (names.isOfTime(topic) && !documents.eventTime().isOfAllRecords());
        if (ofRecord.needsSharedId() && isOfRecordTime) {
            throw new RefusedException("the record's write method is " + EnumSetting.text(ofRecord) + ", and its own"
                    + " timestamp need not name the index of the document; see " + INDEX_NAME + ", "
                    + EventTime.EVENT_TIME + " and " + EventTime.BEHAVIOR_ON_MISSING_EVENT_TIME);
        }
    }

    private boolean hasTimestampTwice(DocumentSettings documents) {
        return (type == DestinationType.DATA_STREAM || documents.eventTime().isSet())
                && documents.metadata().stream()
                        .anyMatch(field -> field.path().get(0).equals(DocumentSettings.TIMESTAMP));
    }

    /**
     * What does not go together.
     *
     * @param props the connector's settings
     */
    public List<Problem> problems(DocumentSettings documents, EnvelopeSettings envelope, Map<String, String> props) {
        WriteMethod method = documents.writeMethod();
        boolean deletes = documents.nullValues() == NullValues.DELETE;
        boolean isStream = type == DestinationType.DATA_STREAM;
        List<Problem> problems = Problem.of(
                when(
                        pipeline.isPresent() && method.isMerge(),
                        PIPELINE,
                        "Elasticsearch ignores it with " + DocumentSettings.WRITE_METHOD + "="
                                + EnumSetting.text(method) + "; leave it empty"),
                when(
                        hasTimestampTwice(documents),
                        DocumentSettings.METADATA_FIELDS,
                        "`" + DocumentSettings.TIMESTAMP + "` is set for " + EventTime.EVENT_TIME
                                + " and for data streams; choose another name"),
                when(
                        method.isMerge()
                                && names.moveWithTime(
                                        documents.eventTime().isOfAllRecords(), TransformTypes.timestampRouter(props)),
                        DocumentSettings.WRITE_METHOD,
                        EnumSetting.text(method) + " merges records of different times, and each would go to the index"
                                + " of its timestamp; remove the transform TimestampRouter and `${timestamp:...}` from "
                                + INDEX_NAME + ", or set "
                                + EventTime.EVENT_TIME + " to a time that all records of a document have, and "
                                + EventTime.BEHAVIOR_ON_MISSING_EVENT_TIME + "=fail"),
                deletes && !isStream ? problemOfDeletions(documents, envelope, props) : Optional.empty(),
                when(
                        isStream && documents.id().kind() == IdSource.Kind.KEY,
                        DocumentSettings.DOCUMENT_ID,
                        "with ids from keys a data stream keeps the first record of each key and none after it; set it"
                                + " to `coordinates` or `none`, or to `${key}` if no key occurs twice"),
                when(
                        isStream && !method.isCreate(),
                        DocumentSettings.WRITE_METHOD,
                        "a data stream takes new documents only; set it to create"),
                when(
                        isStream && deletes,
                        DocumentSettings.BEHAVIOR_ON_NULL_VALUES,
                        "`delete` is not possible in a data stream"),
                when(
                        type == DestinationType.ALIAS && definitionFile.isPresent(),
                        INDEX_DEFINITION_FILE,
                        "would create an index under the name of an alias that is missing; use " + INDEX_TEMPLATE_FILE),
                when(
                        isStream && definitionFile.isPresent(),
                        INDEX_DEFINITION_FILE,
                        "is for indexes; a data stream is created by a template, see " + INDEX_TEMPLATE_FILE));
        problems.addAll(problemsOfTopics(props));
        return problems;
    }

    /**
     * The index of each record.
     *
     * @param fields has all fields that the templates need
     */
    public TemplateDestinations destinations(RecordFields fields) {
        return new TemplateDestinations(
                names, fields, parts -> IndexName.of(parts.get(0)), "see " + INDEX_NAME + " and " + TOPIC_INDEX_MAP);
    }

    /** The indexes that do not depend on a record's fields. */
    public TemplateDestinations destinations() {
        return destinations(new RecordFields(names.fields()));
    }

    private List<Problem> problemsOfTopics(Map<String, String> props) {
        TemplateDestinations destinations = destinations();
        return KnownTopics.of(props).stream()
                .flatMap(topic -> destinations.faultOf(topic).stream())
                .map(fault -> new Problem(INDEX_NAME, fault))
                .toList();
    }

    /** What may not be intended; each is a sentence. */
    public List<String> warnings(DocumentSettings documents, Map<String, String> props) {
        return Stream.of(warningOfPipeline(documents), names.warning(TOPIC_INDEX_MAP, KnownTopics.of(props)))
                .flatMap(Optional::stream)
                .toList();
    }

    /** What may miss documents, if the pipeline does what its name does not show. */
    private Optional<String> warningOfPipeline(DocumentSettings documents) {
        boolean runs = pipeline.isPresent() && !pipelineOfAll().equals(Optional.of(NO_PIPELINE));
        return runs && documents.mayDelete()
                ? Optional.of(
                        PIPELINE + ": Elasticsearch runs no pipeline for a deletion; if this one changes _index, _id"
                                + " or the routing, deletions miss their documents")
                : Optional.empty();
    }

    private Optional<Problem> problemOfDeletions(
            DocumentSettings documents, EnvelopeSettings envelope, Map<String, String> props) {
        boolean haveValues = !envelope.isNone();
        return names.faultOfDeletions(
                        haveValues,
                        documents.eventTime().isKeptByDeletions(haveValues),
                        TransformTypes.timestampRouter(props))
                .map(fault -> new Problem(DocumentSettings.BEHAVIOR_ON_NULL_VALUES, "with `delete`: " + fault));
    }

    /** Why the templates and the regular expression do not fit together; empty if they do. */
    public static Optional<Problem> problem(AbstractConfig config) {
        return Problem.ofReading(INDEX_NAME, () -> from(config), "; see " + TOPIC_INDEX_REGEX);
    }

    private static Template checked(String name) {
        Template template = Template.parse(name);
        IndexName.of(template.sample("x"));
        return template;
    }

    private static Map<String, List<Template>> ownNames(List<String> pairs) {
        return DestinationTemplates.pairs(pairs).entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, pair -> List.of(checked(pair.getValue()))));
    }

    private static Optional<String> nonEmpty(String value) {
        return Optional.of(value.trim()).filter(text -> !text.isEmpty());
    }
}
