package io.tidegate.connect.common.spi;

import static java.util.Objects.requireNonNull;

/**
 * How a kind of server is called in traces. Source: OpenTelemetry's semantic conventions for database client calls.
 *
 * @param system the value of {@code db.system.name}
 * @param operation the value of {@code db.operation.name}: what a batch is sent as
 */
public record Traced(String system, String operation) {
    public Traced {
        requireNonNull(system, "system");
        requireNonNull(operation, "operation");
    }
}
