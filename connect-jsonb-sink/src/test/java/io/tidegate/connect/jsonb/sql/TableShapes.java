package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.jsonb.sql.TableShape.ColumnShape;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tables that no server was asked about. */
public final class TableShapes {
    private TableShapes() {}

    public static TableShape of(String table, Map<String, String> types) {
        return of(table, types, Set.of(), true);
    }

    /**
     * A table.
     *
     * @param collated the columns with their own collation
     */
    public static TableShape of(String table, Map<String, String> types, Set<String> collated, boolean takesCopy) {
        Map<String, ColumnShape> columns = new HashMap<>();
        types.forEach((name, type) -> columns.put(
                name,
                new ColumnShape(
                        type, type, 1_000 + type.length(), collated.contains(name), 0, TableShape.Filling.PLAIN)));
        return new TableShape(table, "public." + table, columns, takesCopy, Optional.empty());
    }
}
