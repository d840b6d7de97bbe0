package io.tidegate.connect.common.settings;

import java.util.Arrays;
import java.util.Locale;

/** What stays in order when a task has several lanes. */
public enum Ordering {
    /** A partition keeps to one lane while it is assigned: order per partition, and so per key. */
    PARTITION,
    /** A key keeps to one lane; documents without a key keep to their partition's. */
    KEY,
    /** Any lane takes any document: for appending, and for writes whose version decides. */
    NONE;

    /** The value of the setting that means this ordering. */
    public String settingName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Every value of the setting. */
    public static String[] settingNames() {
        return Arrays.stream(values()).map(Ordering::settingName).toArray(String[]::new);
    }
}
