package io.tidegate.connect.elasticsearch.settings;

import java.util.Map;

/** What the names that documents are written to stand for. */
public enum DestinationType {
    /** Anything with the name; if there is nothing, an index is created, if the server allows it. */
    ANY(""),
    /** An alias: the server refuses documents if the name is not an alias. */
    ALIAS("require_alias"),
    /** A data stream: refused likewise. Its documents are only created, and each has a {@code @timestamp}. */
    DATA_STREAM("require_data_stream");

    private final String parameter;

    DestinationType(String parameter) {
        this.parameter = parameter;
    }

    /** What a bulk request says so that the server sees to it. */
    public Map<String, String> parameters() {
        return parameter.isEmpty() ? Map.of() : Map.of(parameter, "true");
    }
}
