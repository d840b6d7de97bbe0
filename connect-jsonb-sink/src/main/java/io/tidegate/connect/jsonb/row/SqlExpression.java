package io.tidegate.connect.jsonb.row;

/** The SQL expression that the server computes from a field. */
@FunctionalInterface
public interface SqlExpression {
    /** The field as it is. */
    SqlExpression PLAIN = (value, cast) -> value + cast;

    /**
     * The expression.
     *
     * @param value an SQL expression for the field
     * @param cast to the column's type, as {@code ::type}; empty if the server has to find the type
     */
    String sql(String value, String cast);

    /** A string constant that does not depend on {@code standard_conforming_strings}. */
    static String literal(String text) {
        return (text.indexOf('\\') < 0 ? "'" : "E'")
                + text.replace("\\", "\\\\").replace("'", "''") + "'";
    }
}
