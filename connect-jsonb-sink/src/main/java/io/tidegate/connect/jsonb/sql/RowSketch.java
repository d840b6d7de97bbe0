package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.WireType;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A row as people read it: its table, its columns and the statement that writes it. One thread uses it. */
public final class RowSketch {
    private static final Instant YEAR_2000 = Instant.parse("2000-01-01T00:00:00Z");

    private static final String NULL = "NULL";

    private final RowSettings row;
    private final RowSql sql;
    private final UnnestInsert inserts;
    private final RowDelete deletes;

    public RowSketch(RowSettings row, InsertSettings insert) {
        this.row = requireNonNull(row, "row");
        this.sql = new RowSql(row, insert);
        this.inserts = new UnnestInsert(sql);
        this.deletes = new RowDelete(row, insert);
    }

    /** Describes a row as far as it is known without the server: instead of a computed value it has the expression. */
    public Map<String, Object> of(Document document) {
        return of(document, Optional.empty(), Map.of());
    }

    /**
     * Describes a row.
     *
     * @param connection to compute its columns; nothing is written
     * @param shape of its table, which exists
     */
    public Map<String, Object> of(Document document, TableShape shape, Connection connection) {
        return of(document, Optional.of(shape), document.isDelete() ? Map.of() : computed(document, shape, connection));
    }

    /** The columns as the server computes them; none if it cannot. */
    private Map<String, String> computed(Document document, TableShape shape, Connection connection) {
        Map<String, String> values = new HashMap<>();
        try (PreparedStatement statement = inserts.query(connection, shape, List.of(document));
                ResultSet result = statement.executeQuery()) {
            result.next();
            for (Column column : sql.columns(shape)) {
                String text = result.getString(1 + values.size());
                values.put(column.name(), text == null ? NULL : text);
            }
        } catch (SQLException e) {
            return Map.of(); // the record is refused for the same reason
        }
        return values;
    }

    private Map<String, Object> of(Document document, Optional<TableShape> shape, Map<String, String> computed) {
        Map<String, Object> sketch = new LinkedHashMap<>();
        sketch.put("table", document.destination());
        sketch.put("action", document.isDelete() ? "delete" : "insert");
        if (document.hasKey()) {
            sketch.put("key", new String(document.key(), StandardCharsets.UTF_8));
        }
        if (!document.isDelete()) {
            Map<String, String> columns = new LinkedHashMap<>();
            for (Column column : shape.map(sql::columns).orElse(row.columns())) {
                if (computed.containsKey(column.name()) && (sql.hasFields() || !isValue(column))) {
                    columns.put(column.name(), computed.get(column.name()));
                } else if (!isValue(column)) {
                    columns.put(column.name(), value(column, document));
                }
            }
            sketch.put("columns", columns);
        }
        shape.ifPresent(known -> sketch.put("statement", statement(document, known)));
        return sketch;
    }

    private String statement(Document document, TableShape shape) {
        return document.isDelete() ? deletes.text(shape) : inserts.text(shape, sql.isResolving());
    }

    private boolean isValue(Column column) {
        return column.name().equals(row.valueColumn());
    }

    /** What is sent for a plain column; for another, what the server computes. */
    private String value(Column column, Document document) {
        if (!(column.input() instanceof RowField input)) {
            return "(the field " + column.name() + ")";
        }
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
                        ? NULL
                        : new String(bytes.array(), bytes.from(), bytes.length(), StandardCharsets.UTF_8);
            }
            long number = input.number(document);
            if (number == RowField.NO_NUMBER) {
                return NULL;
            }
            return input.wire() == WireType.TIMESTAMPTZ
                    ? YEAR_2000.plus(number, ChronoUnit.MICROS).toString()
                    : Long.toString(number);
        } catch (SQLException e) {
            return "(cannot be encoded: " + e.getMessage() + ")";
        }
    }
}
