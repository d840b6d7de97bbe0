package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.common.value.RefusedException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Where the time of the event that a record describes comes from. Stateless; any thread.
 *
 * @param sources the first one that the record has counts; none for the record's timestamp
 * @param unit of a time that is a number
 * @param otherwise what happens to a record without a readable time
 */
public record EventTime(List<Template> sources, Unit unit, Otherwise otherwise) implements RecordFields.Times {
    public static final String EVENT_TIME = "event.time";
    public static final String EVENT_TIME_UNIT = "event.time.unit";
    public static final String BEHAVIOR_ON_MISSING_EVENT_TIME = "behavior.on.missing.event.time";

    /** The record's timestamp. */
    static final EventTime OF_TIMESTAMP = new EventTime(List.of(), Unit.MILLIS, Otherwise.TIMESTAMP);

    /** A number in JSON or Java, with bounds that keep the arithmetic cheap. */
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,30})?([eE]\\+?[0-9]{1,2})?");

    private static final int NANO_DIGITS = 9;

    /** Debezium's names for schemas of numbers. Source: its documentation, "Temporal types". */
    private static final Map<String, Unit> UNITS = Map.of(
            "io.debezium.time.Timestamp", Unit.MILLIS,
            "io.debezium.time.MicroTimestamp", Unit.MICROS,
            "io.debezium.time.NanoTimestamp", Unit.NANOS);

    private static final String DAYS = "io.debezium.time.Date";
    private static final BigDecimal SECONDS_OF_A_DAY = BigDecimal.valueOf(86_400);

    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");

    /** The years of four digits, which Elasticsearch's date formats allow, are over. */
    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    /** ISO 8601 and RFC 3339: without a time it is midnight, without an offset UTC. */
    private static final DateTimeFormatter TEXT = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .optionalStart()
            .appendPattern("['T'][' ']")
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .optionalStart()
            .appendOffsetId()
            .optionalEnd()
            .optionalStart()
            .appendOffset("+HHmm", "Z")
            .optionalEnd()
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    /** What a number counts, from the start of 1970 in UTC. */
    public enum Unit {
        SECONDS(0),
        MILLIS(3),
        MICROS(6),
        NANOS(9);

        private final int digits; // of a second

        Unit(int digits) {
            this.digits = digits;
        }
    }

    /** How a record without a readable event time is handled. */
    public enum Otherwise {
        /** Its timestamp counts. */
        TIMESTAMP,
        /** It is refused. */
        FAIL
    }

    public EventTime {
        sources = List.copyOf(sources);
        requireNonNull(unit, "unit");
        requireNonNull(otherwise, "otherwise");
    }

    static SettingGroup define(SettingGroup group) {
        return group.list(EVENT_TIME, "Event time")
                .parsedBy("templates", EventTime::templates)
                .medium("Where an event's time comes from: templates as in " + IndexSettings.INDEX_NAME
                        + " (without groups), such as `${field:$.event.time}` or `${header:time}`. The first one that"
                        + " the record has counts. It is the date in " + IndexSettings.INDEX_NAME + ", and"
                        + " `@timestamp` of each document that has none. It is text in ISO 8601, or a number, see "
                        + EVENT_TIME_UNIT + ". Empty: the record's timestamp, which becomes `@timestamp` only with"
                        + " destination.type=data_stream.")
                .oneOf(EVENT_TIME_UNIT, "Unit of the event time", Unit.MILLIS)
                .low("The unit of a numeric event time since 1970, unless Debezium's schema names one.")
                .oneOf(BEHAVIOR_ON_MISSING_EVENT_TIME, "Missing event times", Otherwise.TIMESTAMP)
                .low(
                        "What happens to a record without a readable event time: `timestamp` takes the record's"
                                + " timestamp. With `fail` the record is malformed, or refused if the index's name has a date.");
    }

    static EventTime from(AbstractConfig config) {
        return new EventTime(
                templates(config.getList(EVENT_TIME)),
                EnumSetting.read(config, EVENT_TIME_UNIT, Unit.class),
                EnumSetting.read(config, BEHAVIOR_ON_MISSING_EVENT_TIME, Otherwise.class));
    }

    private static List<Template> templates(List<String> texts) {
        return texts.stream().map(EventTime::template).toList();
    }

    private static Template template(String text) {
        Template template = DocumentSettings.template(text, "");
        if (template.isOfTime()) {
            throw new IllegalArgumentException("`" + text + "` is a date; the time itself is needed");
        }
        return template;
    }

    /** Whether it comes from elsewhere than the record's timestamp. */
    public boolean isSet() {
        return !sources.isEmpty();
    }

    /**
     * Whether a deletion either has the same time as what it deletes or is refused.
     *
     * @param haveValues whether deletions have the fields of what they delete
     */
    boolean isKeptByDeletions(boolean haveValues) {
        return isOfAllRecords() && (haveValues || fields().isEmpty());
    }

    /** Whether no record's own timestamp takes its place. */
    boolean isOfAllRecords() {
        return isSet() && otherwise == Otherwise.FAIL;
    }

    /** Whether a record that has no value has the time of what it deletes. */
    boolean isOf(SinkRecord tombstone) {
        return sources.stream().allMatch(source -> source.isOf(tombstone));
    }

    /** The fields of a record's value that it needs. */
    public Set<JsonPath> fields() {
        return sources.stream().flatMap(source -> source.fields().stream()).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Optional<Instant> of(SinkRecord record, RecordFields fields) {
        String fault = "";
        for (Template source : sources) {
            try {
                return Optional.of(
                        instant(source.fill(record, fields), schemaName(record.valueSchema(), source.onlyField())));
            } catch (RefusedException e) {
                fault = fault.isEmpty() ? e.getMessage() : fault;
            }
        }
        if (isSet() && otherwise == Otherwise.FAIL) {
            throw new RefusedException("the record gives no time for " + EVENT_TIME + ": " + fault + "; see "
                    + BEHAVIOR_ON_MISSING_EVENT_TIME);
        }
        return OF_TIMESTAMPS.of(record, fields);
    }

    /** What the record says about the type of a field; empty if it says nothing. */
    private static String schemaName(Schema ofValue, String field) {
        if (ofValue == null || ofValue.type() != Schema.Type.STRUCT || ofValue.field(field) == null) {
            return "";
        }
        String name = ofValue.field(field).schema().name();
        return name == null ? "" : name;
    }

    private Instant instant(String text, String schema) {
        try {
            Instant instant = NUMBER.matcher(text).matches() ? ofNumber(new BigDecimal(text), schema) : ofText(text);
            if (!instant.isBefore(FIRST) && instant.isBefore(END)) {
                return instant;
            }
        } catch (DateTimeException | ArithmeticException e) {
            // Leaves out the exception, because it quotes the value.
        }
        throw new RefusedException("it is neither text in ISO 8601 nor a number, of the years 0 to 9999");
    }

    private Instant ofNumber(BigDecimal number, String schema) {
        BigDecimal seconds = schema.equals(DAYS)
                ? number.multiply(SECONDS_OF_A_DAY)
                : number.movePointLeft(UNITS.getOrDefault(schema, unit).digits);
        BigDecimal[] parts = seconds.divideAndRemainder(BigDecimal.ONE);
        BigDecimal nanos = parts[1].movePointRight(NANO_DIGITS).setScale(0, RoundingMode.FLOOR);
        return Instant.ofEpochSecond(parts[0].longValueExact(), nanos.longValueExact());
    }

    private static Instant ofText(String text) {
        TemporalAccessor parsed = TEXT.parseBest(text, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
        if (parsed instanceof OffsetDateTime time) {
            return time.toInstant();
        }
        LocalDateTime time = parsed instanceof LocalDate date ? date.atStartOfDay() : (LocalDateTime) parsed;
        return time.toInstant(ZoneOffset.UTC);
    }
}
