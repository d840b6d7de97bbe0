package io.tidegate.connect.lab.store;

import java.util.List;

/**
 * A table in PostgreSQL. In its SQL, <code>${records}</code> stands for the number of records that will be written.
 *
 * @param create the statements that create the table and its indexes in an empty schema, and may fill it
 * @param count the query that counts the records that are written, where this is not the number of rows; or empty
 */
public record Table(String name, List<String> create, String count) {
    /** A table with only a column for the document. */
    public static final Table PLAIN = new Table("bench", List.of("CREATE TABLE bench (doc jsonb NOT NULL)"), "");

    private static final String RECORDS = "${records}";

    public Table {
        create = List.copyOf(create);
    }

    /** Whether records change rows that exist, so that the table does not grow by a row for each. */
    public boolean isChanged() {
        return !count.isEmpty();
    }

    /** A copy for this number of records. */
    public Table of(long records) {
        String number = Long.toString(records);
        return new Table(
                name,
                create.stream().map(sql -> sql.replace(RECORDS, number)).toList(),
                count.replace(RECORDS, number));
    }
}
