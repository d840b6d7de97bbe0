package io.tidegate.connect.jsonb.row;

import static java.util.Objects.requireNonNull;

/**
 * A column that is written: what goes over the wire for it, and what the server makes of that.
 *
 * @param name as in the catalogue, not quoted
 * @param type that it gets when the table is created
 */
public record Column(String name, RowField input, SqlExpression expression, String type) {
    public Column {
        requireNonNull(name, "name");
        requireNonNull(input, "input");
        requireNonNull(expression, "expression");
        requireNonNull(type, "type");
    }

    /** A column that takes an input as it is. */
    public static Column of(String name, RowField input) {
        SqlExpression expression = input == RowField.TIMESTAMP ? Column::timestamp : SqlExpression.PLAIN;
        return new Column(name, input, expression, input.wire().type());
    }

    /** Milliseconds since 1970, as Kafka counts, where the column is a number. */
    private static String timestamp(String value, String cast) {
        return cast.equals("::bigint") ? "(extract(epoch FROM " + value + ") * 1000)::bigint" : value + cast;
    }

    /** Whether the server has nothing to compute, if the column has the right type. */
    public boolean isPlain() {
        return expression == SqlExpression.PLAIN || input == RowField.TIMESTAMP;
    }

    /** As written in a statement. */
    public String quoted() {
        return TableName.quote(name);
    }
}
