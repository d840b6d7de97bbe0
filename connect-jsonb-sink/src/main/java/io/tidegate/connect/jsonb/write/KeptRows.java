package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.settings.InsertMode;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.KeyMode;
import io.tidegate.connect.jsonb.settings.RowSettings;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the records of a lane that met an existing row, which stayed. Where Kafka's offsets decided that, a record of
 * another log with the same offsets would stay out too, so they are logged: the first, and then at doubling counts. One
 * lane adds.
 */
final class KeptRows {
    private static final Logger log = LoggerFactory.getLogger(KeptRows.class);

    private final LongAdder kept = new LongAdder();
    private final Optional<String> byOffsets; // what to set if these are records of another log
    private long next = 1;

    private KeptRows(Optional<String> byOffsets) {
        this.byOffsets = requireNonNull(byOffsets, "byOffsets");
    }

    static KeptRows of(RowSettings row, InsertSettings insert) {
        if (insert.redriven()) {
            return new KeptRows(Optional.empty());
        }
        if (insert.mode() == InsertMode.IGNORE && row.keyMode() == KeyMode.KAFKA) {
            return new KeptRows(Optional.of("insert.mode=insert, which refuses them instead"));
        }
        return new KeptRows(
                insert.guard().isOffset()
                        ? Optional.of("stale.write.guard=none until its keys are written")
                        : Optional.empty());
    }

    /** Any thread: how many, since the start. */
    long count() {
        return kept.sum();
    }

    void add(long records, String table) {
        kept.add(records);
        if (byOffsets.isPresent() && kept.sum() >= next) {
            next = kept.sum() * 2;
            log.warn(
                    "{} records so far changed nothing, the last of them in {}, because rows have their offsets or later ones. That is right"
                            + " for records that Kafka delivers again. If the topic was created again or is another cluster's,"
                            + " set {}",
                    kept.sum(),
                    table,
                    byOffsets.get());
        }
    }
}
