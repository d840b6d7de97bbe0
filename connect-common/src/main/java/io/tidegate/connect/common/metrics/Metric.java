package io.tidegate.connect.common.metrics;

import static java.util.Objects.requireNonNull;

import java.util.function.Supplier;

/**
 * One number that operators may read at any time.
 *
 * @param name in the style of Kafka's own metrics; a count since the start ends in {@code -total}
 * @param unit of the value
 * @param description what it tells; a sentence
 * @param value read by any thread; must neither throw nor wait. NaN when there is nothing to tell
 */
public record Metric(String name, String unit, String description, Supplier<? extends Number> value) {
    public Metric {
        requireNonNull(name, "name");
        requireNonNull(unit, "unit");
        requireNonNull(description, "description");
        requireNonNull(value, "value");
    }
}
