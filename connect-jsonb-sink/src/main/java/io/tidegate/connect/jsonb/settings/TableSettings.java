package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.DestinationTemplates;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.jsonb.row.TableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/**
 * Which table a record goes to.
 *
 * @param names templates of schema and table
 * @param isCreated whether a table that is missing is made
 */
public record TableSettings(DestinationTemplates names, boolean isCreated) {
    public static final String TABLE_NAME_FORMAT = "table.name.format";
    public static final String TOPIC_TABLE_MAP = "topic.table.map";
    static final String TOPIC_TABLE_REGEX = "topic.table.regex";
    public static final String AUTO_CREATE = "auto.create";

    private static final String GROUP = "Table";

    public TableSettings {
        requireNonNull(names, "names");
    }

    public static ConfigDef define(ConfigDef def) {
        int order = 0;
        return def.define(
                        TABLE_NAME_FORMAT,
                        Type.STRING,
                        "${topic}",
                        TableSettings.<String>checked("`table` or `schema.table`, as templates", TableName::templates),
                        Importance.MEDIUM,
                        "The table, as `table` or `schema.table`. `${topic}` stands for the record's topic, `${1}` or `${name}`"
                                + " for a group of " + TOPIC_TABLE_REGEX
                                + ", `${timestamp:yyyy_MM}` for the record's timestamp"
                                + " in UTC by a date pattern, `${key}` for its key, `${header:name}` for the last header of"
                                + " that name, `${field:$.a.b}` for a string, number or boolean of its value. Names are"
                                + " quoted, so case matters; dots in what is filled in are part of the name. A record that"
                                + " lacks a part is refused.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Table")
                .define(
                        TOPIC_TABLE_MAP,
                        Type.LIST,
                        List.of(),
                        TableSettings.<List<String>>checked("topic:table pairs", TableSettings::ownNames),
                        Importance.LOW,
                        "Topics that go to a table other than " + TABLE_NAME_FORMAT
                                + " says, as `topic:table,topic:schema.table`.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Table by topic")
                .define(
                        TOPIC_TABLE_REGEX,
                        Type.STRING,
                        "",
                        TableSettings.<String>checked("a regular expression", DestinationTemplates::topicPattern),
                        Importance.LOW,
                        "A regular expression (Java's) over the whole topic, whose groups " + TABLE_NAME_FORMAT
                                + " may use: with `(.+)\\.(.+)`, `${1}.${2}` turns `prod.tides` into the table `tides` of"
                                + " the schema `prod`. Records of other topics, unless " + TOPIC_TABLE_MAP
                                + " names them, are refused. Empty for none.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Regular expression over topics")
                .define(
                        AUTO_CREATE,
                        Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        "Whether a table that is missing is created, with the columns that are written and, for `upsert`,"
                                + " `ignore` and `merge`, a primary key; and the table of the offsets too. A table that is"
                                + " there is never altered.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Create tables");
    }

    private static <T> ConfigDef.Validator checked(String form, Function<T, ?> parser) {
        return ConfigDef.LambdaValidator.with(
                (key, value) -> {
                    try {
                        @SuppressWarnings("unchecked") // the type of the setting
                        Object unused = parser.apply((T) value);
                    } catch (IllegalArgumentException e) {
                        throw new ConfigException(key, value, e.getMessage());
                    }
                },
                () -> form);
    }

    private static Map<String, List<Template>> ownNames(List<String> pairs) {
        Map<String, List<Template>> names = new HashMap<>();
        DestinationTemplates.pairs(pairs).forEach((topic, name) -> names.put(topic, TableName.templates(name)));
        return names;
    }

    /**
     * Typed values.
     *
     * @throws IllegalArgumentException when {@link #TABLE_NAME_FORMAT} names a group that {@link #TOPIC_TABLE_REGEX} lacks
     */
    public static TableSettings from(AbstractConfig config) {
        return new TableSettings(
                new DestinationTemplates(
                        TableName.templates(config.getString(TABLE_NAME_FORMAT)),
                        ownNames(config.getList(TOPIC_TABLE_MAP)),
                        DestinationTemplates.topicPattern(config.getString(TOPIC_TABLE_REGEX))),
                config.getBoolean(AUTO_CREATE));
    }

    /** What is wrong with the settings of one configuration together. */
    public static Optional<Problem> problem(AbstractConfig config) {
        try {
            TableSettings unused = from(config);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(new Problem(TABLE_NAME_FORMAT, e.getMessage() + "; see " + TOPIC_TABLE_REGEX));
        }
    }
}
