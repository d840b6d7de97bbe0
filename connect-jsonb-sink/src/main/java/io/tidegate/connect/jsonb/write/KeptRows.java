package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.time.Milestones;
import io.tidegate.connect.jsonb.settings.InsertMode;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.KeyMode;
import io.tidegate.connect.jsonb.settings.RowSettings;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the records of a task that met an existing row, which stayed, where Kafka's offsets decided that: a record of another
 * log with the same offsets would stay out too. They are logged at {@link Milestones}. Any thread.
 */
public final class KeptRows {
    private static final Logger log = LoggerFactory.getLogger(KeptRows.class);

    private final AtomicLong kept = new AtomicLong();
    private final Optional<String> byOffsets; // what to set if these are records of another log

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

    void add(long records, String table) {
        long now = kept.addAndGet(records);
        if (byOffsets.isPresent() && Milestones.isPassed(now - records, now)) {
            log.warn(
                    "{} records so far changed nothing, the last of them in {}, because rows have their offsets or later ones. That is right"
                            + " for records that Kafka delivers again. If the topic was created again or is another cluster's,"
                            + " set {}",
                    now,
                    table,
                    byOffsets.get());
        }
    }
}
