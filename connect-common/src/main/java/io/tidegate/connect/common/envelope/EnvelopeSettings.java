package io.tidegate.connect.common.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Envelope;
import io.tidegate.connect.common.document.RowPlace;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.common.settings.TransformTypes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Whether values are change events, and how what is special about them is handled.
 *
 * @param form of the values
 * @param truncates how the event is handled that a table was emptied
 * @param unavailable how columns are handled that the event does not contain
 * @param placeholder what Debezium writes for them
 * @param jsonColumns columns with JSON as text: names, and {@code auto} for those that the event's schema names
 */
public record EnvelopeSettings(
        Form form, Truncates truncates, UnavailableValues unavailable, String placeholder, List<String> jsonColumns) {
    public static final String VALUE_ENVELOPE = "value.envelope";
    public static final String TRUNCATES = "debezium.truncates";
    public static final String UNAVAILABLE_VALUES = "debezium.unavailable.values";
    public static final String PLACEHOLDER = "debezium.unavailable.value.placeholder";
    public static final String JSON_COLUMNS = "debezium.json.columns";

    private static final String HEX = "hex:";

    static final String DEFAULT_PLACEHOLDER = "__debezium_unavailable_value";

    /** In the list of JSON columns, those that the event's schema names. */
    static final String AUTO = "auto";

    /** What is around a document. */
    public enum Form {
        /** Nothing. */
        NONE,
        /** Debezium's change event. */
        DEBEZIUM
    }

    /** How the event is handled that all rows of a table were removed at once. */
    public enum Truncates {
        /** The record is refused. */
        FAIL,
        /** It is skipped: the rows stay. */
        IGNORE
    }

    /** How a column is handled that an update left as it was and that the event therefore does not contain. */
    public enum UnavailableValues {
        /** The record is refused. */
        FAIL,
        /** The column is left out of the document, which is merged into the older one. */
        KEEP,
        /** The placeholder is written. */
        WRITE
    }

    /** The form of a record's key for the sink. */
    public enum KeyForm {
        /** The texts of its columns, as one text. */
        TEXT,
        /** The object with its columns, as JSON. */
        OBJECT,
        /** It stays as it is, and nothing is wrong with any form of it, because nothing reads it. */
        UNREAD
    }

    public EnvelopeSettings {
        requireNonNull(form, "form");
        requireNonNull(truncates, "truncates");
        requireNonNull(unavailable, "unavailable");
        requireNonNull(placeholder, "placeholder");
        jsonColumns = List.copyOf(jsonColumns);
    }

    public static ConfigDef define(ConfigDef def) {
        return new SettingGroup(def, "Change events")
                .oneOf(VALUE_ENVELOPE, "Value envelope", Form.NONE)
                .medium("What values are. `none`: documents. `debezium`: Debezium's change events, as JSON or with a"
                        + " converter's schema. `after` becomes the document, a deletion deletes, and the columns of"
                        + " the record's key identify the row. Other records are refused.")
                .oneOf(TRUNCATES, "Truncates", Truncates.FAIL)
                .low("What happens to the event of a TRUNCATE, which Debezium sends only"
                        + " without `t` in `skipped.operations`. `fail` refuses it. `ignore` skips it, and the rows"
                        + " stay.")
                .oneOf(UNAVAILABLE_VALUES, "Unavailable values", UnavailableValues.FAIL)
                .low("What happens to the placeholder that Debezium sends for a large column that an update did"
                        + " not change. `fail` refuses the record. `keep` keeps the old value, which needs writes that"
                        + " merge documents. `write` writes the placeholder. Tables with REPLICA IDENTITY FULL have"
                        + " none.")
                .text(PLACEHOLDER, "Placeholder of unavailable values", DEFAULT_PLACEHOLDER)
                .parsedBy("text or hex:", EnvelopeSettings::placeholder)
                .low(
                        "Debezium's `unavailable.value.placeholder`, also with `hex:`. The sink also knows the forms that it has in"
                                + " columns of bytes and arrays.")
                .list(JSON_COLUMNS, "JSON columns", List.of(AUTO))
                .low("Columns whose text becomes JSON in the document, such as `jsonb` columns: names, separated"
                        + " by commas. `auto` stands for the columns that the event's schema names; events without a"
                        + " schema name none. Empty for no column.")
                .configDef();
    }

    public static EnvelopeSettings from(AbstractConfig config) {
        return new EnvelopeSettings(
                EnumSetting.read(config, VALUE_ENVELOPE, Form.class),
                EnumSetting.read(config, TRUNCATES, Truncates.class),
                EnumSetting.read(config, UNAVAILABLE_VALUES, UnavailableValues.class),
                placeholder(config.getString(PLACEHOLDER)),
                config.getList(JSON_COLUMNS));
    }

    /** As Debezium's connectors read it. Their strings have the text of the octets. */
    private static String placeholder(String setting) {
        String placeholder = setting.startsWith(HEX) ? text(setting.substring(HEX.length())) : setting;
        if (placeholder.isEmpty()) {
            throw new IllegalArgumentException("it is empty");
        }
        return placeholder;
    }

    private static String text(String octets) {
        try {
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(HexFormat.of().parseHex(octets)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("its octets are no text in UTF-8", e);
        }
    }

    public boolean isNone() {
        return form == Form.NONE;
    }

    /** Whether columns that an event does not contain are left out of the document. */
    public boolean keepsUnavailable() {
        return !isNone() && unavailable == UnavailableValues.KEEP;
    }

    /**
     * What is wrong with the transforms.
     *
     * @param props the connector's settings
     */
    public Optional<Problem> problem(Map<String, String> props) {
        return unwrappingTransform(props)
                .filter(name -> !isNone())
                .map(name -> new Problem(
                        VALUE_ENVELOPE,
                        "the transform " + name + " takes change events apart before the sink sees them: remove it, or"
                                + " set none"));
    }

    /**
     * Warnings about transforms; each is a sentence.
     *
     * @param props the connector's settings
     */
    public List<String> warnings(Map<String, String> props) {
        boolean isWithoutSchema = "false".equals(props.get("value.converter.schemas.enable"));
        return unwrappingTransform(props)
                .filter(name -> isNone() && isWithoutSchema)
                .map(name -> "the transform " + name + " passes change events without a schema on as they are, so"
                        + " whole events are written and nothing is deleted; remove it and set " + VALUE_ENVELOPE
                        + "=debezium")
                .stream()
                .toList();
    }

    /**
     * A warning that the older row of an event is needed.
     *
     * @param settings that read fields of the row to find its copy
     */
    public Optional<String> warningOfOlderRows(List<String> settings) {
        return Optional.of(settings)
                .filter(readers -> !isNone() && !readers.isEmpty())
                .map(readers -> String.join(", ", readers) + ": fields of the row say where its copy is. Unless the"
                        + " source sends whole older rows (PostgreSQL: REPLICA IDENTITY FULL), an update of such a field"
                        + " leaves the older copy, a deletion may miss its copy, and nothing reports it");
    }

    private static Optional<String> unwrappingTransform(Map<String, String> props) {
        return TransformTypes.first(props, "ExtractNewRecordState");
    }

    /**
     * The envelope of one task.
     *
     * @param keyForm of the records' keys
     * @param isPositionNeeded whether documents need the position of the change in the source
     * @param deletesByTombstone whether a record that has no value deletes, as the event before it did
     * @param places that no update may change
     */
    public Optional<Envelope> open(
            KeyForm keyForm,
            boolean isPositionNeeded,
            Predicate<SinkRecord> deletesByTombstone,
            List<RowPlace> places) {
        return isNone()
                ? Optional.empty()
                : Optional.of(new DebeziumEnvelope(this, keyForm, isPositionNeeded, deletesByTombstone, places));
    }
}
