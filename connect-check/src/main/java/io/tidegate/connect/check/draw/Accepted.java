package io.tidegate.connect.check.draw;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.sink.SinkConnector;

/** Asks a connector's own validation, in this JVM and without a server. */
final class Accepted {
    private final SinkConnector connector;
    private final Map<String, String> address;

    /** @param address settings with which the connector would reach its server */
    Accepted(SinkConnector connector, Map<String, String> address) {
        this.connector = connector;
        this.address = address;
    }

    /** What the connector refuses, empty if it accepts the settings. */
    List<String> problems(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(address);
        all.put("validate.server", "never");
        all.put("name", "check");
        return connector.validate(all).configValues().stream()
                .flatMap(value -> value.errorMessages().stream())
                .toList();
    }
}
