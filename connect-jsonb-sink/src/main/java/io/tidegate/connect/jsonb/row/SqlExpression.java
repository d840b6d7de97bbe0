package io.tidegate.connect.jsonb.row;

/** What the server makes of an input, in SQL. */
@FunctionalInterface
public interface SqlExpression {
    /** The input as it is. */
    SqlExpression PLAIN = (value, cast) -> value + cast;

    /**
     * The expression.
     *
     * @param value an expression of the input
     * @param cast to the column's type, as {@code ::type}; empty when the server has to find the type
     */
    String sql(String value, String cast);
}
