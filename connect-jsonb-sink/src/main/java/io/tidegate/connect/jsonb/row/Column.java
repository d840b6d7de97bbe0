package io.tidegate.connect.jsonb.row;

import static java.util.Objects.requireNonNull;

/**
 * A column that is written: what is sent for it, and which expression the server computes from that.
 *
 * @param name as in the catalogue, not quoted
 * @param type of the column if the sink creates the table
 */
public record Column(String name, RowInput input, SqlExpression expression, String type) {
    public Column {
        requireNonNull(name, "name");
        requireNonNull(input, "input");
        requireNonNull(expression, "expression");
        requireNonNull(type, "type");
    }

    /** A column that takes a field as it is. */
    public static Column of(String name, RowInput input) {
        SqlExpression expression = input == RowField.TIMESTAMP ? Column::timestamp : SqlExpression.PLAIN;
        return new Column(name, input, expression, input.wire().type());
    }

    /** Converts to milliseconds since 1970, as Kafka counts, if the column is a number. */
    private static String timestamp(String value, String cast) {
        return cast.equals("::bigint") ? "(extract(epoch FROM " + value + ") * 1000)::bigint" : value + cast;
    }

    /** Whether the server has nothing to compute if the column has the right type. */
    public boolean isPlain() {
        return expression == SqlExpression.PLAIN || input == RowField.TIMESTAMP;
    }

    /** The name as written in a statement. */
    public String quoted() {
        return TableName.quote(name);
    }
}
