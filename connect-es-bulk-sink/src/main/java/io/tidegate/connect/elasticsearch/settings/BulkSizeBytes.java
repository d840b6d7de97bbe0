package io.tidegate.connect.elasticsearch.settings;

import io.tidegate.connect.common.settings.LaneSettings;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Confluent's name for {@link LaneSettings#BATCH_MAX_BYTES}, so that moving a connector needs no renaming. */
public final class BulkSizeBytes {
    public static final String BULK_SIZE_BYTES = "bulk.size.bytes";

    private BulkSizeBytes() {}

    public static ConfigDef define(ConfigDef def) {
        return def.define(
                BULK_SIZE_BYTES,
                Type.LONG,
                null,
                Checks.<Long>parses("[1024,...,1073741824]", BulkSizeBytes::checked),
                Importance.LOW,
                "Another name for " + LaneSettings.BATCH_MAX_BYTES
                        + ", as Confluent's sink calls it. Only one of the two" + " may be set.");
    }

    private static long checked(Long bytes) {
        if (bytes < 1_024 || bytes > 1L << 30) {
            throw new IllegalArgumentException("the value must be between 1024 and 1073741824");
        }
        return bytes;
    }

    /** The configuration under the names that the pipeline knows. */
    public static Map<String, String> translate(Map<String, String> props) {
        String bytes = props.get(BULK_SIZE_BYTES);
        if (bytes == null || props.containsKey(LaneSettings.BATCH_MAX_BYTES)) {
            return props;
        }
        Map<String, String> translated = new HashMap<>(props);
        translated.put(LaneSettings.BATCH_MAX_BYTES, bytes);
        return translated;
    }
}
