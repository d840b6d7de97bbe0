package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.StaleGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Deletes the rows with some keys in one statement. Its text does not depend on their number. */
public final class RowDelete {
    private final RowSettings row;
    private final InsertSettings insert;
    private final List<Column> compared;
    private final List<RowField> inputs;
    private final MetadataEncoder encoder;
    private final ValueList values;

    public RowDelete(RowSettings row, InsertSettings insert) {
        this.row = requireNonNull(row, "row");
        this.encoder = row.values().metadataEncoder();
        this.insert = requireNonNull(insert, "insert");
        this.compared = comparedBy(insert.guard())
                .flatMap(input -> row.columnOf(input).stream())
                .toList();
        this.inputs = Stream.concat(Stream.of(RowField.KEY), compared.stream().map(column -> (RowField) column.input()))
                .toList();
        this.values = new ValueList(inputs.size());
    }

    /** A deletion has no document with a field to compare. */
    private static Stream<RowField> comparedBy(StaleGuard guard) {
        if (guard.isSourcePosition()) {
            return Stream.of(RowField.SOURCE_POSITION);
        }
        return guard.isOffset() ? Stream.of(RowField.TOPIC, RowField.PARTITION, RowField.OFFSET) : Stream.empty();
    }

    /** Adds the statement that deletes the rows to those that are sent together. */
    public void addTo(JointStatement joint, TableShape shape, List<Document> rows) {
        if (shape.isChecked()) {
            joint.add(
                    text(shape),
                    inputs.size(),
                    (statement, bound) -> ArrayParameter.bind(statement, bound, RowValues.of(inputs, rows, encoder)));
            return;
        }
        String keys = values.table(
                rows.size(), inputs.stream().map(input -> input.wire().type()).toList());
        joint.add(
                text(shape, keys),
                values.parameters(rows.size()),
                (statement, bound) ->
                        values.bind(statement, bound, RowValues.of(inputs, rows, encoder), input -> false));
    }

    /** The statement that takes the keys as arrays. */
    String text(TableShape shape) {
        return text(
                shape, ArrayParameter.table(inputs.stream().map(RowField::wire).toList()));
    }

    private String text(TableShape shape, String keys) {
        List<String> names = new ArrayList<>(List.of("v0"));
        compared.forEach(column -> names.add(column.quoted()));
        List<String> conditions = new ArrayList<>();
        for (Column column : row.keyColumns()) {
            String key = column.expression().sql("r.v0", shape.castTo(column.name()));
            conditions.add("o." + column.quoted() + " = " + shape.stored(column.name(), key));
        }
        String hasKey = String.join(" AND ", conditions);
        conditions.add(shape.isUnaltered(row.keyColumns(), false));
        if (!compared.isEmpty()) {
            StaleCondition.of(insert, row, "r", () -> hasKey).ifPresent(conditions::add);
        }
        return "DELETE FROM " + shape.table() + " AS o USING " + keys + " AS r(" + String.join(", ", names) + ") WHERE "
                + String.join(" AND ", conditions);
    }
}
