package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.tools.records.OffsetRange;
import java.sql.SQLException;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** A table whose rows do not say which record they come from: only their number can be compared. */
final class CountedTable implements TableAudit {
    private final PostgresSession session;
    private final String table;
    private final String why;
    private final boolean isExact;
    private final boolean mayDrop;
    private final Findings findings;
    private long expected;

    /**
     * Compares numbers of rows.
     *
     * @param why the rows cannot be compared, and what would change that
     * @param isExact whether each record that is stored has one row for good
     * @param mayDrop whether a trigger may store no row for a record
     */
    CountedTable(
            PostgresSession session, String table, String why, boolean isExact, boolean mayDrop, Findings findings) {
        this.session = requireNonNull(session, "session");
        this.table = requireNonNull(table, "table");
        this.why = requireNonNull(why, "why");
        this.isExact = isExact;
        this.mayDrop = mayDrop;
        this.findings = requireNonNull(findings, "findings");
    }

    @Override
    public void expect(List<Document> documents) {
        expected += findings.notRefused(documents);
    }

    @Override
    public void ends(TopicPartition partition, OffsetRange now) {
        // The number of all partitions counts.
    }

    @Override
    public void finish(StoreAudit.Newer newer) throws SQLException {
        long rows = session.number("SELECT count(*) FROM " + table);
        findings.note(table + " cannot be compared record by record: " + why + ". It has " + rows + " rows, and "
                + expected + " records were compared with that number"
                + (mayDrop ? "; a trigger of the table may store no row for a record" : ""));
        findings.unknown("records that no row of " + table + " can be matched with", expected);
        if (isExact && rows < expected && !mayDrop) {
            findings.add(Finding.ofAll(
                    Finding.Kind.MISSING,
                    table,
                    "at least " + (expected - rows) + " rows are missing; which ones cannot be known"));
        }
    }
}
