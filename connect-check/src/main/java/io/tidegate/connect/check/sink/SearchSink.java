package io.tidegate.connect.check.sink;

import io.tidegate.connect.check.oracle.ElasticsearchPromises;
import io.tidegate.connect.check.oracle.Promises;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.SinkKind;
import java.util.List;
import java.util.Map;

/** This project's Elasticsearch sink. */
public final class SearchSink implements SinkKind {
    /** Its name. */
    public static final String NAME = "es";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String store() {
        return "search";
    }

    @Override
    public Map<String, String> base() {
        return Map.of(
                "connector.class",
                "io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkConnector",
                "connection.url",
                "${url}");
    }

    @Override
    public boolean hasAuditor() {
        return true;
    }

    @Override
    public Promises promises(CheckCase planned, Map<String, String> settings) {
        return ElasticsearchPromises.of(settings, List.of("n"), planned.vectorFields());
    }
}
