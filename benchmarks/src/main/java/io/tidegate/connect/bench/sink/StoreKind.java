package io.tidegate.connect.bench.sink;

import java.util.Map;

/** Where a connector writes to, told from the variables that its configuration refers to. */
enum StoreKind {
    POSTGRESQL("postgresql", "${env:TIDEGATE_POSTGRES_"),
    /** Plain HTTP without security, to compare with. */
    ELASTICSEARCH_HTTP("elasticsearch-http", "${env:TIDEGATE_ELASTICSEARCH_HTTP_"),
    ELASTICSEARCH("elasticsearch", "${env:TIDEGATE_ELASTICSEARCH_"),
    NONE("none", "");

    private final String label;
    private final String reference;

    StoreKind(String label, String reference) {
        this.label = label;
        this.reference = reference;
    }

    String label() {
        return label;
    }

    static StoreKind of(Map<String, String> config) {
        for (StoreKind kind : values()) {
            if (kind != NONE && config.values().stream().anyMatch(value -> value.contains(kind.reference))) {
                return kind;
            }
        }
        return NONE;
    }
}
