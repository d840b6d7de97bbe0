package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.ByteSlice;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.WireType;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A row as people read it: its table, its columns and the statement that writes it. One thread uses it. */
public final class RowSketch {
    private static final Instant YEAR_2000 = Instant.parse("2000-01-01T00:00:00Z");

    private final RowSettings row;
    private final boolean isResolving;
    private final RowSql sql;
    private final RowDelete deletes;

    public RowSketch(RowSettings row, InsertSettings insert) {
        this.row = requireNonNull(row, "row");
        this.isResolving = insert.mode().isResolving();
        this.sql = new RowSql(row, insert);
        this.deletes = new RowDelete(row, insert.guard());
    }

    /**
     * Describes a row.
     *
     * @param shape of its table, if the server told it: without it the statement is not known
     */
    public Map<String, Object> of(Document document, Optional<TableShape> shape) {
        Map<String, Object> sketch = new LinkedHashMap<>();
        sketch.put("table", document.destination());
        sketch.put("action", document.isDelete() ? "delete" : "insert");
        if (document.hasKey()) {
            sketch.put("key", new String(document.key(), StandardCharsets.UTF_8));
        }
        if (!document.isDelete()) {
            Map<String, String> columns = new LinkedHashMap<>();
            for (Column column : row.columns()) {
                if (!column.name().equals(row.valueColumn())) {
                    columns.put(column.name(), value(column, document));
                }
            }
            sketch.put("columns", columns);
        }
        shape.filter(TableShape::exists).ifPresent(known -> sketch.put("statement", statement(document, known)));
        return sketch;
    }

    private String statement(Document document, TableShape shape) {
        return document.isDelete()
                ? deletes.text(shape)
                : new UnnestInsert(sql).text(shape, isResolving, Optional.empty());
    }

    /** What is sent for a plain column; for another, what the server computes. */
    private String value(Column column, Document document) {
        RowField input = column.input();
        if (!column.isPlain()) {
            return column.expression().sql(input == RowField.VALUE ? row.valueColumn() : text(input, document), "");
        }
        return text(input, document);
    }

    private String text(RowField input, Document document) {
        try {
            if (input.isText()) {
                ByteSlice bytes = input.bytes(document, sql.metadataEncoder());
                return bytes == RowField.NO_BYTES
                        ? "NULL"
                        : new String(bytes.array(), bytes.from(), bytes.length(), StandardCharsets.UTF_8);
            }
            long number = input.number(document);
            if (number == RowField.NO_NUMBER) {
                return "NULL";
            }
            return input.wire() == WireType.TIMESTAMPTZ
                    ? YEAR_2000.plus(number, ChronoUnit.MICROS).toString()
                    : Long.toString(number);
        } catch (SQLException e) {
            return "(cannot be encoded: " + e.getMessage() + ")";
        }
    }
}
