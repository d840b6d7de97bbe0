package io.tidegate.connect.check.draw;

import java.util.Map;

/** Why a setting is not drawn. */
final class NotDrawn {
    static final String NO_RULE = "the oracle has no rule for it yet";

    private static final Map<String, String> BY_START = Map.of(
            "connection.", "decides how the server is reached; the servers of the checker have one way",
            "ssl.", "decides how the server is reached; the servers of the checker have one way",
            "proxy.", "decides how the server is reached; the servers of the checker have one way",
            "schema.registry.", "decides how the registry is reached",
            "http.", "decides how the server is reached; the servers of the checker have one way",
            "redrive", "is checked by the tests of the dead letters",
            "max.retries", "lets a task fail in an outage, which is then as promised",
            "retry.timeout", "lets a task fail in an outage, which is then as promised");

    private NotDrawn() {}

    static String reason(String setting) {
        return BY_START.entrySet().stream()
                .filter(entry -> setting.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(NO_RULE);
    }
}
