package io.tidegate.connect.common.document;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.RefusedException;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Something that decides where a row is and reads the row's fields: its destination, its id, its shard. If an update
 * changes it, the older copy of the row stays where it is. The task thread uses it.
 *
 * @param setting that decides
 * @param rule gives the place, as a text, or refuses the record
 */
public record RowPlace(String setting, Function<SinkRecord, String> rule) {
    public RowPlace {
        requireNonNull(setting, "setting");
        requireNonNull(rule, "rule");
    }

    /**
     * Refuses an update that moves the row. If a field is missing, as the source need not send the older row, nothing can
     * be compared.
     *
     * @param before with the row before the update
     * @param after with the row after it
     */
    public void refuseMove(SinkRecord before, SinkRecord after) {
        Optional<String> old = of(before);
        Optional<String> now = of(after);
        if (old.isPresent() && now.isPresent() && !old.equals(now)) {
            throw new RefusedException("the update changes a field that " + setting + " reads, so the row would be"
                    + " written elsewhere and its older copy would stay: let " + setting + " read only fields that do"
                    + " not change; or set errors.tolerance=all, delete the older copy, then redrive the record");
        }
    }

    private Optional<String> of(SinkRecord record) {
        try {
            return Optional.of(rule.apply(record));
        } catch (RefusedException e) {
            return Optional.empty(); // a record that is written without a place is refused later
        }
    }
}
