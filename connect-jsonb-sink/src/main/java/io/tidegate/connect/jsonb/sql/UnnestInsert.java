package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Sends rows as one array for each field. The text, and so the plan, is the same for every number of rows. JSON is sent
 * as {@code text[]} and cast on the server, which costs it less than {@code jsonb[]}.
 */
public final class UnnestInsert {
    private final RowSql sql;
    private final MetadataEncoder encoder;

    public UnnestInsert(RowSql sql) {
        this.sql = requireNonNull(sql, "sql");
        this.encoder = sql.metadataEncoder();
    }

    /** Whether existing rows are treated as {@code insert.mode} says. */
    public boolean isResolving() {
        return sql.isResolving();
    }

    public void addTo(JointStatement joint, TableShape shape, List<Document> rows, boolean onConflict) {
        joint.add(text(shape, onConflict), sql.inputs().size(), (statement, bound) -> bind(statement, bound, rows));
    }

    /** Binds the parameters of {@link #text}, starting after parameter {@code bound}. */
    public void bind(PreparedStatement statement, int bound, List<Document> rows) throws SQLException {
        ArrayParameter.bind(statement, bound, sql.inputs(), rows, encoder);
    }

    public String text(TableShape shape, boolean onConflict) {
        return sql.insertFrom(shape, ArrayParameter.table(sql.inputs()), onConflict);
    }

    /** The text of a query for the rows as the server computes them, with the same parameters. */
    String queryText(TableShape shape) {
        return sql.selectFrom(shape, ArrayParameter.table(sql.inputs()));
    }
}
