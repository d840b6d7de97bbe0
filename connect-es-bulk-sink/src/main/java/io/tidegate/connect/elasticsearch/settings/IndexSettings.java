package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/**
 * Where documents go.
 *
 * @param name the index, in which {@link #TOPIC} stands for the record's topic
 * @param byTopic the index of each topic that has one of its own
 * @param definitionFile settings and mappings of an index that does not exist
 * @param pipeline the ingest pipeline that documents pass through
 */
public record IndexSettings(
        String name, Map<String, String> byTopic, Optional<Path> definitionFile, Optional<String> pipeline) {
    public static final String INDEX_NAME = "index.name";
    public static final String TOPIC_INDEX_MAP = "topic.index.map";
    public static final String INDEX_DEFINITION_FILE = "index.definition.file";
    public static final String PIPELINE = "pipeline";

    /** Stands for the record's topic in {@link #INDEX_NAME}. */
    public static final String TOPIC = "${topic}";

    private static final String GROUP = "Index";

    public IndexSettings {
        requireNonNull(name, "name");
        byTopic = Map.copyOf(byTopic);
        requireNonNull(definitionFile, "definitionFile");
        requireNonNull(pipeline, "pipeline");
    }

    public static ConfigDef define(ConfigDef def) {
        int order = 0;
        return def.define(
                        INDEX_NAME,
                        Type.STRING,
                        TOPIC,
                        Checks.<String>parses(
                                "a name that Elasticsearch allows, which may hold " + TOPIC,
                                name -> nameFor(name, "t")),
                        Importance.MEDIUM,
                        "The index, alias or data stream to write to; `" + TOPIC
                                + "` stands for the record's topic. Upper"
                                + " case letters become lower case, as Elasticsearch demands; a record whose topic gives a"
                                + " name that Elasticsearch does not allow is refused.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Index")
                .define(
                        TOPIC_INDEX_MAP,
                        Type.LIST,
                        List.of(),
                        Checks.parses("topic:index pairs", IndexSettings::parseMap),
                        Importance.LOW,
                        "Topics that go to an index other than " + INDEX_NAME + " says, as `topic:index,topic:index`.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Index by topic")
                .define(
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

    public static IndexSettings from(AbstractConfig config) {
        return new IndexSettings(
                config.getString(INDEX_NAME),
                parseMap(config.getList(TOPIC_INDEX_MAP)),
                nonEmpty(config.getString(INDEX_DEFINITION_FILE)).map(Path::of),
                nonEmpty(config.getString(PIPELINE)));
    }

    /**
     * The index of a topic.
     *
     * @throws IllegalArgumentException with the rule that the name breaks
     */
    public String indexOf(String topic) {
        String own = byTopic.get(topic);
        return own == null ? nameFor(name, topic) : own;
    }

    private static String nameFor(String name, String topic) {
        return IndexName.of(name.replace(TOPIC, topic));
    }

    private static Map<String, String> parseMap(List<String> pairs) {
        Map<String, String> indexes = new HashMap<>();
        for (String pair : pairs) {
            int colon = pair.indexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException("each entry must be topic:index");
            }
            String topic = pair.substring(0, colon).trim();
            if (indexes.put(topic, IndexName.of(pair.substring(colon + 1).trim())) != null) {
                throw new IllegalArgumentException("topic " + topic + " is named twice");
            }
        }
        return indexes;
    }

    private static Optional<String> nonEmpty(String value) {
        return Optional.of(value.trim()).filter(text -> !text.isEmpty());
    }
}
