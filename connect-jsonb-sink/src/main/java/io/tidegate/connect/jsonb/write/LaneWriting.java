package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.jsonb.client.AbortableConnection;
import io.tidegate.connect.jsonb.sql.InsertStrategy;
import io.tidegate.connect.jsonb.sql.OffsetFence;
import io.tidegate.connect.jsonb.sql.RowDelete;
import io.tidegate.connect.jsonb.sql.RowSql;
import io.tidegate.connect.jsonb.sql.UnnestInsert;
import java.util.Optional;

/** What a lane writes with, put together once. One lane uses it. */
record LaneWriting(
        KnownTables tables, InsertStrategy strategy, BatchCut cut, RowGroupWriter groups, BatchFailures failures) {
    static LaneWriting of(WriterSettings settings, Optional<OffsetFence> fence, AbortableConnection attempt) {
        boolean isExactlyOnce = fence.isPresent();
        RowSql sql = new RowSql(settings.row(), settings.insert());
        RowDelete deletes = new RowDelete(settings.row(), settings.insert());
        InsertStrategy strategy = new InsertStrategy(settings.insert().method(), sql, settings.dialect());
        KnownTables tables = new KnownTables(settings, sql, strategy, KnownTables.MOST, System::nanoTime);
        ConflictPlan plan = new ConflictPlan(settings.insert().mode(), isExactlyOnce, strategy);
        PoisonRowFinder poison =
                new PoisonRowFinder(settings.row(), new UnnestInsert(sql), deletes, settings.overrides());
        return new LaneWriting(
                tables,
                strategy,
                new BatchCut(settings.row(), settings.insert(), isExactlyOnce, tables, sql, plan),
                new RowGroupWriter(tables, strategy, plan, deletes, settings.kept()),
                new BatchFailures(attempt, tables, poison, settings.isNamedByRecord(), settings.overrides(), fence));
    }
}
