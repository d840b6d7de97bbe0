package io.tidegate.connect.harness.store;

import java.util.List;

/**
 * A table in PostgreSQL.
 *
 * @param create the statements that create the table and its indexes in an empty schema
 */
public record Table(String name, List<String> create) {
    /** A table with only a column for the document. */
    public static final Table PLAIN = new Table("bench", List.of("CREATE TABLE bench (doc jsonb NOT NULL)"));

    public Table {
        create = List.copyOf(create);
    }
}
