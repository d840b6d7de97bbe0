package io.tidegate.connect.tools.store;

import java.util.List;

/**
 * A table of PostgreSQL.
 *
 * @param create the statements that make it and what belongs to it, in an empty schema
 */
public record Table(String name, List<String> create) {
    /** One column for the document. */
    public static final Table PLAIN = new Table("bench", List.of("CREATE TABLE bench (doc jsonb NOT NULL)"));

    /** Copies the list. */
    public Table {
        create = List.copyOf(create);
    }
}
