package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.row.TableName;
import java.util.Locale;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;

/**
 * What a record that is delivered again does.
 *
 * @param guarantee whether it may be written again
 * @param connector whose offsets are kept
 * @param offsetsTable where they are kept; used with {@link Guarantee#EXACTLY_ONCE} only
 */
public record DeliverySettings(Guarantee guarantee, String connector, TableName offsetsTable) {
    public static final String DELIVERY_GUARANTEE = "delivery.guarantee";
    public static final String OFFSETS_TABLE = "offsets.table";

    private static final String GROUP = "Delivery";

    /** What a record that is delivered again does. */
    public enum Guarantee {
        /** It is written again, unless its key forbids it. */
        AT_LEAST_ONCE,
        /** Nothing: its offset is committed together with its row. */
        EXACTLY_ONCE;

        private String settingName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public DeliverySettings {
        requireNonNull(guarantee, "guarantee");
        requireNonNull(connector, "connector");
        requireNonNull(offsetsTable, "offsetsTable");
    }

    public static ConfigDef define(ConfigDef def) {
        int order = 0;
        return def.define(
                        DELIVERY_GUARANTEE,
                        Type.STRING,
                        Guarantee.AT_LEAST_ONCE.settingName(),
                        ValidString.in(Guarantee.AT_LEAST_ONCE.settingName(), Guarantee.EXACTLY_ONCE.settingName()),
                        Importance.HIGH,
                        "`at_least_once`: after a crash the records since the last commit are written again, unless a key forbids"
                                + " it. `exactly_once`: rows and the offsets they stand for are committed together, so that no"
                                + " key is needed; it takes a table for the offsets and `ordering=partition`.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Delivery guarantee")
                .define(
                        OFFSETS_TABLE,
                        Type.STRING,
                        "tidegate_offsets",
                        ConfigDef.LambdaValidator.with(DeliverySettings::checkTable, () -> "`table` or `schema.table`"),
                        Importance.MEDIUM,
                        "The table that keeps the offsets with `delivery.guarantee=exactly_once`, for any number of connectors.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Offsets table");
    }

    private static void checkTable(String key, Object value) {
        try {
            TableName.parse(String.valueOf(value));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(key, value, e.getMessage());
        }
    }

    public static DeliverySettings from(AbstractConfig config) {
        return new DeliverySettings(
                Guarantee.valueOf(config.getString(DELIVERY_GUARANTEE).toUpperCase(Locale.ROOT)),
                config.originalsStrings().getOrDefault("name", "unnamed"),
                TableName.parse(config.getString(OFFSETS_TABLE)));
    }

    public boolean isExactlyOnce() {
        return guarantee == Guarantee.EXACTLY_ONCE;
    }
}
