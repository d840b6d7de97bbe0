package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Sorts rows by the bytes of their keys. Tasks whose batches share keys then wait for each other instead of
 * deadlocking. It sorts only if keys that differ as bytes also differ for the server. In an {@code integer}, {@code 1}
 * and {@code 01} do not differ, so sorting could swap rows of one key. One lane uses it.
 */
final class KeyOrder {
    private static final Comparator<Document> BY_KEY = (a, b) -> Arrays.compareUnsigned(a.key(), b.key());

    /** A text within JSON. Equal texts are equal bytes, because the sink encodes the keys' JSON itself. */
    private static final String TEXT = "(?:[^\"\\\\]|\\\\.)*+";

    /** The same without a blank at its end, which a column with a length may cut off. */
    private static final String TRIMMED_TEXT = TEXT + "(?<! )";

    private static final String INTEGER = "0|-?[1-9][0-9]*";
    private static final String DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}";

    /** An instant as Java and JavaScript write it: the shortest form of whole seconds, milliseconds or microseconds. */
    private static final String INSTANT =
            DATE + "T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.(?:[0-9]{3}){1,2}(?<!000))?Z";

    /**
     * For each type, the only form in which different texts are different values, if the column does not round them. A
     * domain that rounds, and all other types, have none.
     */
    private static final Map<String, String> FORMS = Map.of(
            "text", TEXT,
            "character varying", TRIMMED_TEXT,
            "smallint", INTEGER,
            "integer", INTEGER,
            "bigint", INTEGER,
            "numeric", INTEGER,
            "uuid", "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
            "date", DATE,
            "timestamp without time zone", INSTANT,
            "timestamp with time zone", INSTANT);

    private final List<String> columns;
    private final Map<List<String>, Predicate<byte[]>> tests = new HashMap<>(); // by the types of the columns

    /** Sorts by the key of these columns. */
    KeyOrder(List<Column> columns) {
        this.columns = columns.stream().map(Column::name).toList();
    }

    /**
     * The documents of a table, sorted by key. Documents with the same key keep their order. Empty if a key has several
     * forms.
     */
    Optional<List<Document>> sorted(TableShape shape, List<Document> documents) {
        Predicate<byte[]> isOnlyForm = columns.stream().anyMatch(shape::mergesValues)
                ? key -> false
                : tests.computeIfAbsent(columns.stream().map(shape::typeOf).toList(), KeyOrder::test);
        for (Document document : documents) {
            if (!isOnlyForm.test(document.key())) {
                return Optional.empty();
            }
        }
        Document[] sorted = documents.toArray(new Document[0]);
        Arrays.sort(sorted, BY_KEY);
        return Optional.of(Arrays.asList(sorted));
    }

    private static Predicate<byte[]> test(List<String> types) {
        List<String> forms =
                types.stream().map(type -> FORMS.getOrDefault(type, "")).toList();
        if (forms.contains("")) {
            return key -> false;
        }
        if (forms.stream().allMatch(TEXT::equals)) {
            return key -> true;
        }
        if (forms.equals(List.of(TRIMMED_TEXT))) { // not within JSON
            return key -> key.length == 0 || key[key.length - 1] != ' ';
        }
        String form = forms.size() == 1
                ? forms.get(0)
                : forms.stream().collect(Collectors.joining(")\",\"(?:", "\\[\"(?:", ")\"\\]"));
        Matcher matcher = Pattern.compile(form).matcher("");
        return key ->
                matcher.reset(new String(key, StandardCharsets.ISO_8859_1)).matches(); // one character for each byte
    }
}
