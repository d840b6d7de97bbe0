package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.DestinationTemplates;
import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.document.TemplateDestinations;
import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.settings.KnownTopics;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.common.settings.TransformTypes;
import io.tidegate.connect.jsonb.row.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Which table a record goes to.
 *
 * @param names templates of schema and table
 * @param isCreated whether a missing table is created
 */
public record TableSettings(DestinationTemplates names, boolean isCreated) {
    public static final String TABLE_NAME_FORMAT = "table.name.format";
    public static final String TOPIC_TABLE_MAP = "topic.table.map";
    static final String TOPIC_TABLE_REGEX = "topic.table.regex";
    public static final String AUTO_CREATE = "auto.create";

    public TableSettings {
        requireNonNull(names, "names");
    }

    public static ConfigDef define(ConfigDef def) {
        return new SettingGroup(def, "Table")
                .text(TABLE_NAME_FORMAT, "Table", "${topic}")
                .parsedBy("`table` or `schema.table`, as templates", TableName::templates)
                .medium("The table, as `table` or `schema.table`. `${topic}` is the record's topic, `${1}` or"
                        + " `${name}` a group of " + TOPIC_TABLE_REGEX + ", `${timestamp:yyyy_MM}` the record's"
                        + " timestamp in UTC by a date pattern, `${key}` its key, `${header:name}` the last header of"
                        + " that name, `${field:$.a.b}` a string, number or boolean of its value. Names are quoted, so"
                        + " case matters. A dot in a filled-in text is part of the name. A record that lacks a part is"
                        + " refused.")
                .list(TOPIC_TABLE_MAP, "Table by topic")
                .parsedBy("topic:table pairs", TableSettings::ownNames)
                .low("Topics whose table differs from " + TABLE_NAME_FORMAT + ", as `topic:table,topic:schema.table`.")
                .text(TOPIC_TABLE_REGEX, "Regular expression over topics", "")
                .parsedBy("a regular expression", DestinationTemplates::topicPattern)
                .low("A Java regular expression that matches the whole topic. " + TABLE_NAME_FORMAT + " may use"
                        + " its groups: with `(.+)\\.(.+)`, `${1}.${2}` turns `prod.tides` into the table `tides` of"
                        + " the schema `prod`. Records of other topics are refused, unless " + TOPIC_TABLE_MAP
                        + " names the topic. Empty for none.")
                .flag(AUTO_CREATE, "Create tables", false)
                .medium("Whether a missing table is created, with the columns that are written and, for `upsert`,"
                        + " `ignore` and `merge`, a primary key. This includes the offsets table. Existing"
                        + " tables are not altered.")
                .configDef();
    }

    private static Map<String, List<Template>> ownNames(List<String> pairs) {
        Map<String, List<Template>> names = new HashMap<>();
        DestinationTemplates.pairs(pairs).forEach((topic, name) -> names.put(topic, TableName.templates(name)));
        return names;
    }

    /**
     * Reads the typed values.
     *
     * @throws IllegalArgumentException if {@link #TABLE_NAME_FORMAT} names a group that {@link #TOPIC_TABLE_REGEX}
     *     lacks
     */
    public static TableSettings from(AbstractConfig config) {
        return new TableSettings(
                new DestinationTemplates(
                        TableName.templates(config.getString(TABLE_NAME_FORMAT)),
                        ownNames(config.getList(TOPIC_TABLE_MAP)),
                        DestinationTemplates.topicPattern(config.getString(TOPIC_TABLE_REGEX))),
                config.getBoolean(AUTO_CREATE));
    }

    /** Which table each record goes to. */
    public TemplateDestinations destinations() {
        return new TemplateDestinations(
                names,
                new RecordFields(names.fields()),
                parts -> new TableName(parts).sql(),
                "see " + TABLE_NAME_FORMAT + " and " + TOPIC_TABLE_MAP);
    }

    /** Whether several topics may go into one table, as far as the configuration tells. */
    public boolean isShared(Map<String, String> props) {
        List<String> topics = KnownTopics.listed(props);
        boolean isNamedByTopic = names.byTopic().isEmpty()
                && names.common().stream().anyMatch(Template::hasTopic)
                && KnownTopics.areKept(props);
        if (isNamedByTopic || (topics.size() == 1 && !props.containsKey("topics.regex"))) {
            return false;
        }
        TemplateDestinations destinations = destinations();
        long tables = KnownTopics.of(props).stream()
                .flatMap(topic -> destinations.destinationOf(topic).stream())
                .distinct()
                .count();
        return tables == 0 || tables < topics.size();
    }

    /** What may not be intended, as a sentence. */
    public Optional<String> warning(Map<String, String> props) {
        return names.warning(TOPIC_TABLE_MAP, KnownTopics.of(props));
    }

    /** The settings that find an older row by fields of the record's value; none if no older row is replaced or deleted. */
    public List<String> fieldReaders(InsertSettings insert, RowSettings row) {
        if (!row.keyMode().isRepeating() || !(insert.deletes() || insert.mode().isUpdating())) {
            return List.of();
        }
        List<String> readers = new ArrayList<>();
        if (!names.fields().isEmpty()) {
            readers.add(TABLE_NAME_FORMAT);
        }
        if (row.keyMode() == KeyMode.RECORD_VALUE) {
            readers.add(RowSettings.PK_FIELDS);
        }
        return readers;
    }

    /**
     * What does not fit the writes to the tables.
     *
     * @param props the connector's settings
     */
    public List<Problem> problems(InsertSettings insert, EnvelopeSettings envelope, Map<String, String> props) {
        Optional<String> router = TransformTypes.timestampRouter(props);
        List<Problem> problems = Problem.of(
                Problem.when(
                        insert.mode().isMerging() && names.moveWithTime(false, router),
                        InsertSettings.INSERT_MODE,
                        "merge merges records of different times, and each would go to the table of its own timestamp;"
                                + " remove the transform TimestampRouter and `${timestamp:...}` from "
                                + TABLE_NAME_FORMAT),
                insert.deletes()
                        ? names.faultOfDeletions(!envelope.isNone(), false, router)
                                .map(fault -> new Problem(InsertSettings.DELETE_ENABLED, fault))
                        : Optional.empty());
        TemplateDestinations destinations = destinations();
        KnownTopics.of(props).forEach(topic -> destinations
                .faultOf(topic)
                .ifPresent(fault -> problems.add(new Problem(TABLE_NAME_FORMAT, fault))));
        return problems;
    }

    /** Why the settings do not fit together; empty if they do. */
    public static Optional<Problem> problem(AbstractConfig config) {
        return Problem.ofReading(TABLE_NAME_FORMAT, () -> from(config), "; see " + TOPIC_TABLE_REGEX);
    }
}
