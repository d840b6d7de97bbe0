package io.tidegate.connect.elasticsearch.settings;

import io.tidegate.connect.common.settings.SettingGroup;
import java.util.List;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Which fields hold vectors that are sent in a form that costs the server less.
 *
 * @param fields names at the top of a document; empty for none
 */
public record VectorSettings(List<String> fields) {
    public static final String VECTOR_FIELDS = "vector.fields";

    public VectorSettings {
        fields = List.copyOf(fields);
    }

    public static ConfigDef define(ConfigDef def) {
        return new SettingGroup(def, "Documents")
                .list(VECTOR_FIELDS, "Fields with vectors")
                .parsedBy("names of fields", VectorSettings::checked)
                .low("Fields at the top of a document whose arrays of numbers go to Elasticsearch 9.3 and newer as"
                        + " Base64, which costs it less, if the index maps them as `dense_vector` of floats. A vector that is kept in `_source`, or not indexed, is then returned as Base64. Needs the privileges"
                        + " `monitor` and `view_index_metadata`.")
                .configDef();
    }

    private static List<String> checked(List<String> names) {
        for (String name : names) {
            if (name.isBlank() || name.contains(".") || name.contains("*")) {
                throw new IllegalArgumentException("`" + name + "` is no field at the top of a document");
            }
        }
        return names;
    }

    public static VectorSettings from(AbstractConfig config) {
        return new VectorSettings(checked(config.getList(VECTOR_FIELDS)));
    }
}
