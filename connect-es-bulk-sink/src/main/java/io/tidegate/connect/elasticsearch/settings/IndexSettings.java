package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.DestinationTemplates;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.settings.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/**
 * Where documents go.
 *
 * @param names the index of a record
 * @param type what the names stand for
 * @param definitionFile settings and mappings of an index that does not exist
 * @param templateFile a composable index template
 * @param templateName the name of that template
 * @param pipeline the ingest pipeline that documents pass through
 */
public record IndexSettings(
        DestinationTemplates names,
        DestinationType type,
        Optional<Path> definitionFile,
        Optional<Path> templateFile,
        String templateName,
        Optional<String> pipeline) {
    public static final String INDEX_NAME = "index.name";
    public static final String TOPIC_INDEX_MAP = "topic.index.map";
    public static final String TOPIC_INDEX_REGEX = "topic.index.regex";
    public static final String DESTINATION_TYPE = "destination.type";
    public static final String INDEX_DEFINITION_FILE = "index.definition.file";
    public static final String INDEX_TEMPLATE_FILE = "index.template.file";
    public static final String INDEX_TEMPLATE_NAME = "index.template.name";
    public static final String PIPELINE = "pipeline";

    private static final String GROUP = "Index";

    public IndexSettings {
        requireNonNull(names, "names");
        requireNonNull(type, "type");
        requireNonNull(definitionFile, "definitionFile");
        requireNonNull(templateFile, "templateFile");
        requireNonNull(templateName, "templateName");
        requireNonNull(pipeline, "pipeline");
    }

    public static ConfigDef define(ConfigDef def) {
        return defineCreation(defineNames(def));
    }

    private static ConfigDef defineNames(ConfigDef def) {
        int order = 0;
        return def.define(
                        INDEX_NAME,
                        Type.STRING,
                        "${topic}",
                        Checks.<String>parses(
                                "a name that Elasticsearch allows, or a template", IndexSettings::checked),
                        Importance.MEDIUM,
                        "The index, alias or data stream to write to, as a template: `${topic}` is the record's topic, `${1}`"
                                + " or `${name}` a group of " + TOPIC_INDEX_REGEX
                                + ", `${timestamp:yyyy.MM.dd}` the record's"
                                + " timestamp in UTC by a date pattern, `${key}` its key, `${header:name}` the last header of"
                                + " that name, `${field:$.a.b}` a string, number or boolean of its value. Upper case letters"
                                + " become lower case, as Elasticsearch demands; a record that lacks a part, or gives a name"
                                + " that Elasticsearch does not allow, is refused.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Index")
                .define(
                        TOPIC_INDEX_MAP,
                        Type.LIST,
                        List.of(),
                        Checks.parses("topic:index pairs", IndexSettings::ownNames),
                        Importance.LOW,
                        "Topics that go to an index other than " + INDEX_NAME + " says, as `topic:index,topic:index`."
                                + " An index may be a template, without groups.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Index by topic")
                .define(
                        TOPIC_INDEX_REGEX,
                        Type.STRING,
                        "",
                        Checks.<String>parses("a regular expression", DestinationTemplates::topicPattern),
                        Importance.LOW,
                        "A regular expression (Java's) over the whole topic, whose groups " + INDEX_NAME
                                + " may use: with"
                                + " `(.+)\\.(.+)`, `${2}-${1}` turns `prod.tides` into `tides-prod`. Records of other topics,"
                                + " unless " + TOPIC_INDEX_MAP + " names them, are refused. Empty for none.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Regular expression over topics")
                .define(
                        DESTINATION_TYPE,
                        Type.STRING,
                        "any",
                        ConfigDef.ValidString.in(DestinationType.settingNames()),
                        Importance.MEDIUM,
                        "What the names stand for. `any`: an index, alias or data stream; an index is created when there is"
                                + " none of the three, if the server allows it. `alias`: an alias; the server refuses what is"
                                + " none (`require_alias`). `data_stream`: a data stream; the server refuses what is none"
                                + " (`require_data_stream`, Elasticsearch 8.13 or newer), and a document without"
                                + " `@timestamp` gets its record's timestamp. Needs " + DocumentSettings.WRITE_METHOD
                                + "=create.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Destination type");
    }

    private static ConfigDef defineCreation(ConfigDef def) {
        int order = 4;
        return def.define(
                        INDEX_DEFINITION_FILE,
                        Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "The path of a JSON file on the worker with the `settings` and `mappings` of an index. An index that"
                                + " does not exist is created from it before the first write. Empty to leave that to"
                                + " Elasticsearch and its templates.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Index definition")
                .define(
                        INDEX_TEMPLATE_FILE,
                        Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "The path of a JSON file on the worker with a composable index template (`index_patterns`, `template`,"
                                + " for a data stream `data_stream`). It is created under " + INDEX_TEMPLATE_NAME
                                + " before the first write, unless there is one of that name, which stays as it is. Needs"
                                + " the privilege `manage_index_templates`. Empty for none.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Index template")
                .define(
                        INDEX_TEMPLATE_NAME,
                        Type.STRING,
                        "tidegate",
                        new ConfigDef.NonEmptyString(),
                        Importance.LOW,
                        "The name of the template that " + INDEX_TEMPLATE_FILE + " holds.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Name of the index template")
                .define(
                        PIPELINE,
                        Type.STRING,
                        "",
                        Importance.LOW,
                        "The ingest pipeline that documents pass through. Empty for the index's own.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Ingest pipeline");
    }

    /**
     * Typed values.
     *
     * @throws IllegalArgumentException when {@link #INDEX_NAME} names a group that {@link #TOPIC_INDEX_REGEX} lacks
     */
    public static IndexSettings from(AbstractConfig config) {
        return new IndexSettings(
                new DestinationTemplates(
                        List.of(checked(config.getString(INDEX_NAME))),
                        ownNames(config.getList(TOPIC_INDEX_MAP)),
                        DestinationTemplates.topicPattern(config.getString(TOPIC_INDEX_REGEX))),
                DestinationType.of(config.getString(DESTINATION_TYPE)),
                nonEmpty(config.getString(INDEX_DEFINITION_FILE)).map(Path::of),
                nonEmpty(config.getString(INDEX_TEMPLATE_FILE)).map(Path::of),
                config.getString(INDEX_TEMPLATE_NAME).trim(),
                nonEmpty(config.getString(PIPELINE)));
    }

    /** What does not go together. */
    public List<Problem> problems(DocumentSettings documents) {
        if (type != DestinationType.DATA_STREAM) {
            return List.of();
        }
        List<Problem> problems = new ArrayList<>();
        if (documents.writeMethod() != WriteMethod.CREATE) {
            problems.add(new Problem(
                    DocumentSettings.WRITE_METHOD, "a data stream takes new documents only; set it to create"));
        }
        if (documents.nullValues() == NullValues.DELETE) {
            problems.add(
                    new Problem(DocumentSettings.BEHAVIOR_ON_NULL_VALUES, "`delete` is not possible in a data stream"));
        }
        if (definitionFile.isPresent()) {
            problems.add(new Problem(
                    INDEX_DEFINITION_FILE,
                    "is for indexes; a data stream is created by a template, see " + INDEX_TEMPLATE_FILE));
        }
        return problems;
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
