package io.tidegate.connect.jsonb.row;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.JsonPath;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A column whose value the server extracts from the document: {@code station:$.metadata.id::text}.
 *
 * @param column as in the catalogue, not quoted
 * @param type as written in a cast; if there is none, the column's type is used
 */
public record ExtractedColumn(String column, JsonPath path, Optional<String> type) {
    private static final Pattern TEXT = Pattern.compile("(?<column>[^:]+):(?<path>.+?)(::(?<type>[^:]+))?");

    /**
     * Allows words, one number and brackets, so that nothing can end the cast. The name is not quoted, so {@code int}
     * means integer.
     */
    private static final Pattern TYPE = Pattern.compile("[a-z_][a-z0-9_ .]*(\\(\\d+\\))?( [a-z ]+)?(\\[])*");

    private static final Pattern WITH_LENGTH = Pattern.compile(
            "(?<name>(character|char|bit)( varying)?|varchar|varbit|bpchar)" + " *(\\(\\d+\\))?(?<array>(\\[])*)");

    public ExtractedColumn {
        requireNonNull(column, "column");
        requireNonNull(path, "path");
        requireNonNull(type, "type");
    }

    /**
     * Reads {@code column:$.path::type} or {@code column:$.path}.
     *
     * @throws IllegalArgumentException with the reason
     */
    public static ExtractedColumn parse(String text) {
        Matcher matcher = TEXT.matcher(text.trim());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("`" + text + "` is not of the form column:$.path::type");
        }
        Optional<String> type = Optional.ofNullable(matcher.group("type")).map(String::trim);
        type.filter(name -> !TYPE.matcher(name).matches()).ifPresent(name -> {
            throw new IllegalArgumentException(
                    "`" + name + "` is not the name of a type, in lower case and without a comma");
        });
        return new ExtractedColumn(
                matcher.group("column").trim(),
                JsonPath.parse(matcher.group("path").trim()),
                type);
    }

    /** The column, computed from the value. */
    public Column asColumn() {
        return new Column(column, RowField.VALUE, this::sql, type.orElse("text"));
    }

    /** Extracts JSON for a JSON column. For any other column it extracts text and casts it to the column's type. */
    private String sql(String value, String columnCast) {
        String cast = type.map(name -> "::" + withoutLength(name)).orElse(columnCast);
        String operator = cast.equals("::jsonb") || cast.equals("::json") ? "#>" : "#>>";
        String steps = path.stepTexts().stream().map(SqlExpression::literal).collect(Collectors.joining(","));
        return "(" + value + "::jsonb " + operator + " ARRAY[" + steps + "])" + cast;
    }

    /**
     * Removes the length: a cast to a length silently cuts, but the column's own length raises an error. Without a
     * length, {@code char} and {@code bit} mean 1.
     */
    private static String withoutLength(String type) {
        Matcher matcher = WITH_LENGTH.matcher(type);
        if (!matcher.matches()) {
            return type;
        }
        String name = matcher.group("name");
        String unlimited = name.endsWith("varying") || name.startsWith("var")
                ? name
                : name.equals("bit") ? "\"bit\"" : "bpchar"; // character and char
        return unlimited + matcher.group("array");
    }
}
