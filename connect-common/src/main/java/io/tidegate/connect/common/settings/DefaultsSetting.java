package io.tidegate.connect.common.settings;

import org.apache.kafka.common.config.AbstractConfig;

/** The setting that decides whether a null in an optional field becomes the default of its schema. */
public final class DefaultsSetting {
    public static final String REPLACE_NULL_WITH_DEFAULT = "replace.null.with.default";

    private DefaultsSetting() {}

    /** Adds the setting to a group. */
    public static SettingGroup define(SettingGroup group) {
        return group.flag(REPLACE_NULL_WITH_DEFAULT, "Replace null with default", false)
                .low("Whether a null in an optional field becomes the default of its schema. This concerns values, keys"
                        + " and headers with a schema. false keeps the null, so that a row which a source set to null"
                        + " is null here too. The setting of the same name of converters and transforms is true by"
                        + " default: where they see the record first, set it to false there as well.");
    }

    public static boolean isSet(AbstractConfig config) {
        return config.getBoolean(REPLACE_NULL_WITH_DEFAULT);
    }
}
