package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.sql.TableShape;
import io.tidegate.connect.jsonb.sql.TableShapes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyOrderTest {
    private static final KeyOrder BY_ID = new KeyOrder(List.of(Column.of("id", RowField.KEY)));

    private static TableShape shape(String type) {
        return TableShapes.of("t", Map.of("doc", "jsonb", "id", type));
    }

    private static List<Document> documents(String... keys) {
        List<Document> documents = new ArrayList<>();
        for (String key : keys) {
            documents.add(Documents.write(documents.size(), "t", key, "1"));
        }
        return documents;
    }

    private static List<String> keys(List<Document> documents) {
        return documents.stream()
                .map(document -> new String(document.key(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void rowsComeInTheOrderOfTheirKeysAsBytesAndThoseOfOneKeyInTheirOwn() {
        List<Document> documents = documents("b", "\u00e4", "a", "b", "B");

        assertThat(BY_ID.sorted(shape("text"), documents).orElseThrow())
                .containsExactly(
                        documents.get(4), documents.get(2), documents.get(0), documents.get(3), documents.get(1));
    }

    @ParameterizedTest
    @CsvSource({
        "text, 01",
        "character varying, ''",
        "smallint, -7",
        "integer, 0",
        "bigint, 9447130",
        "numeric, 100",
        "uuid, 00000000-0000-0000-0000-00000000002a",
        "date, 2015-01-01",
        "timestamp without time zone, 2015-01-01T00:06:00Z",
        "timestamp with time zone, 2015-01-01T23:59:59.500Z",
        "timestamp with time zone, 2015-01-01T23:59:59.000001Z"
    })
    void aTypesOnlyFormIsSorted(String type, String key) {
        assertThat(BY_ID.sorted(shape(type), documents(key, key))).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "integer, 01",
        "integer, -0",
        "integer, +1",
        "integer, ' 1'",
        "character varying, 'a '",
        "numeric, 1.0",
        "'numeric(10,2)', 1",
        "uuid, 00000000-0000-0000-0000-00000000002A",
        "uuid, 0000000000000000000000000000002a",
        "date, 20150101",
        "timestamp with time zone, 2015-01-01T00:06Z",
        "timestamp with time zone, 2015-01-01T24:00:00Z",
        "timestamp with time zone, 2015-01-01T00:06:60Z",
        "timestamp with time zone, 2015-01-01T00:06:00.500000Z",
        "timestamp with time zone, 2015-01-01T00:06:00.000Z",
        "timestamp with time zone, 2015-01-01T00:06:00.1Z",
        "timestamp with time zone, 2015-01-01T00:06:00+01:00",
        "timestamp with time zone, 2015-01-01T00:06:00",
        "timestamp(0) with time zone, 2015-01-01T00:06:00Z",
        "character, a",
        "citext, a",
        "boolean, t",
        "'', a"
    })
    void whatHasSeveralFormsKeepsItsOrder(String type, String key) {
        assertThat(BY_ID.sorted(shape(type), documents("1", key))).isEmpty();
    }

    @Test
    void textsThatACollationMayTakeForEqualKeepTheirOrder() {
        TableShape collated = TableShapes.of("t", Map.of("doc", "jsonb", "id", "text"), Set.of("id"), true);

        assertThat(BY_ID.sorted(collated, documents("b", "a"))).isEmpty();
    }

    @Test
    void everyPartOfAKeyHasToHaveItsOnlyForm() {
        KeyOrder order = new KeyOrder(List.of(Column.of("station", RowField.KEY), Column.of("at", RowField.KEY)));
        TableShape shape = TableShapes.of("t", Map.of("station", "text", "at", "timestamp with time zone"));
        List<Document> documents = documents(
                "[\"b\\\"\",\"2015-01-01T00:06:00Z\"]",
                "[\"b\",\"2015-01-01T00:12:00Z\"]",
                "[\"a\",\"2015-01-01T00:12:00Z\"]");

        assertThat(order.sorted(shape, documents).map(KeyOrderTest::keys))
                .isEqualTo(Optional.of(List.of(
                        "[\"a\",\"2015-01-01T00:12:00Z\"]",
                        "[\"b\",\"2015-01-01T00:12:00Z\"]",
                        "[\"b\\\"\",\"2015-01-01T00:06:00Z\"]")));
        assertThat(order.sorted(shape, documents("[\"b\",\"2015-01-01T00:06Z\"]")))
                .isEmpty();
    }
}
