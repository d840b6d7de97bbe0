package io.tidegate.connect.jsonb.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.jsonb.check.CatalogTable.CatalogColumn;
import io.tidegate.connect.jsonb.check.CatalogTable.UniqueIndex;
import io.tidegate.connect.jsonb.check.RequiredTable.NeededColumn;
import io.tidegate.connect.jsonb.check.RequiredTable.Privilege;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TableCheckTest {
    private static final Set<Privilege> ALL = Set.of(Privilege.values());
    private static final Set<Privilege> COLUMN = Set.of(Privilege.SELECT, Privilege.INSERT, Privilege.UPDATE);
    private static final CatalogColumn JSONB = new CatalogColumn("jsonb", false, false, COLUMN);
    private static final CatalogColumn TEXT = new CatalogColumn("text", true, false, COLUMN);
    private static final UniqueIndex KEY = new UniqueIndex("tides_pkey", Set.of("station", "at"), Optional.empty());

    private static RequiredTable needed(Set<Privilege> privileges, List<String> key) {
        return new RequiredTable(
                "\"tides\"",
                "table.name.format",
                "for topic tides",
                List.of(
                        new NeededColumn("doc", "value.column.name", Set.of("jsonb", "json"), "jsonb"),
                        new NeededColumn("station", "pk.fields", Set.of(), "text"),
                        new NeededColumn("at", "pk.fields", Set.of(), "text")),
                key,
                "pk.fields",
                List.of("station", "at"),
                privileges,
                Optional.empty(),
                false);
    }

    private static CatalogTable table(Map<String, CatalogColumn> columns, UniqueIndex... indexes) {
        return new CatalogTable(true, true, false, true, columns, List.of(indexes));
    }

    private static Map<String, CatalogColumn> columns() {
        return new HashMap<>(Map.of("doc", JSONB, "station", TEXT, "at", TEXT));
    }

    private static List<String> complaints(RequiredTable needed, CatalogTable table) {
        return new TableCheck(needed, "writer")
                .findings(table).stream()
                        .map(finding -> finding.problem().key() + ": "
                                + finding.problem().message())
                        .toList();
    }

    @Test
    void findsNothingInATableThatFits() {
        assertThat(complaints(needed(ALL, List.of("at", "station")), table(columns(), KEY)))
                .isEmpty();
    }

    @Test
    void takesTheOrderOfAnIndexAsItIsAndItsColumnsExactly() {
        UniqueIndex wider = new UniqueIndex("wider", Set.of("station", "at", "doc"), Optional.empty());
        UniqueIndex narrower = new UniqueIndex("narrower", Set.of("at"), Optional.empty());

        assertThat(complaints(needed(ALL, List.of("station", "at")), table(columns(), wider, narrower)))
                .containsExactly("pk.fields: \"tides\" (for topic tides) has no unique index on exactly (\"station\","
                        + " \"at\"), which ON CONFLICT needs; it has wider (at, doc, station), narrower (at). Create it"
                        + " with: CREATE UNIQUE INDEX ON \"tides\" (\"station\", \"at\")");
    }

    @Test
    void needsNoIndexForPlainInsertsOrOnAView() {
        assertThat(complaints(needed(ALL, List.of()), table(columns()))).isEmpty();
        assertThat(complaints(
                        needed(ALL, List.of("at")), new CatalogTable(true, false, true, true, columns(), List.of())))
                .isEmpty();
    }

    @Test
    void doesNotAskForWhatATriggerMayFill() {
        Map<String, CatalogColumn> columns = columns();
        columns.put("filled", TEXT);

        assertThat(complaints(needed(ALL, List.of()), table(columns)))
                .containsExactly("table.name.format: \"tides\" (for topic tides) takes no row without filled: NOT NULL,"
                        + " without a default, and not written by this connector. Give it a default");
        assertThat(complaints(needed(ALL, List.of()), new CatalogTable(true, true, true, true, columns, List.of())))
                .isEmpty();
    }

    @Test
    void asksForEachPrivilegeOnlyWhereItIsNeeded() {
        Map<String, CatalogColumn> columns = columns();
        columns.put("doc", new CatalogColumn("jsonb", false, false, Set.of(Privilege.INSERT, Privilege.UPDATE)));
        columns.put("at", new CatalogColumn("text", false, false, Set.of(Privilege.INSERT, Privilege.SELECT)));
        columns.put("station", new CatalogColumn("text", false, false, Set.of(Privilege.INSERT, Privilege.SELECT)));
        Set<Privilege> upsert = Set.of(Privilege.INSERT, Privilege.UPDATE, Privilege.SELECT);

        assertThat(complaints(needed(upsert, List.of("station", "at")), table(columns, KEY)))
                .isEmpty();

        columns.put("at", new CatalogColumn("text", false, false, Set.of(Privilege.INSERT)));
        assertThat(complaints(needed(upsert, List.of("station", "at")), table(columns, KEY)))
                .containsExactly("connection.user: role writer lacks the privilege to select on \"tides\" (for topic"
                        + " tides). Grant it with: GRANT SELECT ON \"tides\" TO \"writer\"");
    }

    @Test
    void needsThePrivilegeToDeleteOnTheTable() {
        assertThat(complaints(needed(ALL, List.of()), new CatalogTable(true, true, false, false, columns(), List.of())))
                .singleElement()
                .asString()
                .endsWith("GRANT DELETE ON \"tides\" TO \"writer\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "\"char\"", "name[]", "\"char\"[]"})
    void refusesColumnsThatCut(String type) {
        Map<String, CatalogColumn> columns = columns();
        columns.put("station", new CatalogColumn(type, false, false, COLUMN));

        assertThat(complaints(needed(ALL, List.of()), table(columns)))
                .containsExactly("pk.fields: column station of \"tides\" (for topic tides) is of type " + type
                        + ", which silently truncates longer values; make it text");
    }

    @Test
    void refusesWhatIsNoTable() {
        assertThat(complaints(
                        needed(ALL, List.of()), new CatalogTable(false, false, false, false, Map.of(), List.of())))
                .containsExactly(
                        "table.name.format: \"tides\" (for topic tides) is nothing that rows can be inserted into");
    }

    @Test
    void namesABoundedNumberOfColumns() {
        Map<String, CatalogColumn> many = new HashMap<>();
        IntStream.range(0, 100).forEach(i -> many.put("column%02d".formatted(i), JSONB));

        assertThat(complaints(needed(ALL, List.of()), table(many)).get(0))
                .contains("it has column00, column01,", "column19 and 80 more")
                .doesNotContain("column20");
    }
}
