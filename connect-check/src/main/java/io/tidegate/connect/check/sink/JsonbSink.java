package io.tidegate.connect.check.sink;

import io.tidegate.connect.check.oracle.JsonbPromises;
import io.tidegate.connect.check.oracle.Promises;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.SinkKind;
import java.util.Map;

/** This project's JSONB sink. */
public final class JsonbSink implements SinkKind {
    /** Its name. */
    public static final String NAME = "jsonb";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String store() {
        return "postgresql";
    }

    @Override
    public Map<String, String> base() {
        return Map.of(
                "connector.class",
                "io.tidegate.connect.jsonb.JsonbSinkConnector",
                "connection.url",
                "${url}",
                "connection.user",
                "${user}",
                "connection.password",
                "${password}");
    }

    @Override
    public boolean hasAuditor() {
        return true;
    }

    @Override
    public Promises promises(CheckCase planned, Map<String, String> settings) {
        return JsonbPromises.of(
                settings,
                Boolean.parseBoolean(planned.facts().getOrDefault("unique", "false")),
                planned.vectorFields());
    }
}
