package io.tidegate.connect.check.oracle;

import java.util.List;

/**
 * What the connector was given, from one moment of rest to the next. Between two passes every record had been written and
 * committed. A record that was given again, after a reset of the offsets, is in several passes.
 *
 * @param storeEmptied whether the store was emptied before this pass
 * @param records those of each partition in their order; the order of two partitions means nothing
 */
public record Pass(boolean storeEmptied, List<LoggedRecord> records) {
    public Pass {
        records = List.copyOf(records);
    }
}
