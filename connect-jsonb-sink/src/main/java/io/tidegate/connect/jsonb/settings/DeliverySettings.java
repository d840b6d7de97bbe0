package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.jsonb.row.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * How a record that is delivered again is handled.
 *
 * @param guarantee whether it may be written again
 * @param connector whose offsets are kept
 * @param offsetsTable where they are kept; used with {@link Guarantee#EXACTLY_ONCE} only
 * @param missing with exactly once, how the task reacts to records that the server lost and Kafka no longer has
 */
public record DeliverySettings(Guarantee guarantee, String connector, TableName offsetsTable, OnMissing missing) {
    public static final String DELIVERY_GUARANTEE = "delivery.guarantee";
    public static final String MISSING_RECORDS = "behavior.on.missing.records";
    public static final String OFFSETS_TABLE = "offsets.table";

    /** Connect's setting of a connector's consumer; {@code earliest} unless the worker says otherwise. */
    private static final String RESET = "consumer.override.auto.offset.reset";

    /** How a record that is delivered again is handled. */
    public enum Guarantee {
        /** It is written again, unless its key forbids it. */
        AT_LEAST_ONCE,
        /** It is skipped: its offset was committed together with its row. */
        EXACTLY_ONCE
    }

    /** How the task reacts to records that the server lost and Kafka no longer has. */
    public enum OnMissing {
        /** They are counted and logged. */
        WARN,
        /** The task fails. */
        FAIL
    }

    public DeliverySettings {
        requireNonNull(guarantee, "guarantee");
        requireNonNull(connector, "connector");
        requireNonNull(offsetsTable, "offsetsTable");
        requireNonNull(missing, "missing");
    }

    public static ConfigDef define(ConfigDef def) {
        return new SettingGroup(def, "Delivery")
                .oneOf(DELIVERY_GUARANTEE, "Delivery guarantee", Guarantee.AT_LEAST_ONCE)
                .high("`at_least_once`: after a crash the records since the last commit are written again, unless a"
                        + " key prevents it. `exactly_once`: rows and their offsets are committed together; no key is"
                        + " needed. It needs an offsets table and `ordering=partition`.")
                .text(OFFSETS_TABLE, "Offsets table", "tidegate_offsets")
                .parsedBy("`table` or `schema.table`", TableName::parse)
                .medium("The table that holds the offsets with `delivery.guarantee=exactly_once`, for any number of"
                        + " connectors with different names.")
                .oneOf(MISSING_RECORDS, "Missing records", OnMissing.WARN)
                .low(
                        "What the task does when Kafka no longer has all records that the server lost. `warn` logs and counts their offsets and goes on. `fail` fails the task."
                                + " Offsets without records, which transactions and compaction leave, count as well.")
                .configDef();
    }

    public static DeliverySettings from(AbstractConfig config) {
        return new DeliverySettings(
                EnumSetting.read(config, DELIVERY_GUARANTEE, Guarantee.class),
                config.originalsStrings().getOrDefault("name", "unnamed"),
                TableName.parse(config.getString(OFFSETS_TABLE)),
                EnumSetting.read(config, MISSING_RECORDS, OnMissing.class));
    }

    /** What may not do what it says; each is a sentence. */
    public List<String> warnings(Map<String, String> props) {
        List<String> warnings = new ArrayList<>();
        warningOfReset(props).ifPresent(warnings::add);
        if (!isExactlyOnce() && failsOnMissing()) {
            warnings.add(MISSING_RECORDS + "=fail has no effect: only " + DELIVERY_GUARANTEE
                    + "=exactly_once finds missing records");
        }
        return warnings;
    }

    /** A warning about a consumer that leaves out records, or cannot begin, where Kafka has removed others. */
    private Optional<String> warningOfReset(Map<String, String> props) {
        String reset = props.getOrDefault(RESET, "earliest");
        if (!isExactlyOnce() || reset.equals("earliest")) {
            return Optional.empty();
        }
        return Optional.of(RESET + " is " + reset + ": with " + DELIVERY_GUARANTEE + "=exactly_once, "
                + (reset.equals("none")
                        ? "no task can start once Kafka has removed the last record that was written"
                        : "records that Kafka still has can be skipped once it has removed those before them")
                + "; use earliest");
    }

    /** Whether the task fails when Kafka no longer has records that the server has lost. */
    public boolean failsOnMissing() {
        return missing == OnMissing.FAIL;
    }

    public boolean isExactlyOnce() {
        return guarantee == Guarantee.EXACTLY_ONCE;
    }
}
