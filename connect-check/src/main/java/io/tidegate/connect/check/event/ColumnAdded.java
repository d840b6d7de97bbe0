package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.util.List;
import java.util.Random;

/**
 * Tables get another column, while rows are written.
 *
 * @param columns of which one is added
 * @param ofFields whether they are of fields that had no column
 */
record ColumnAdded(String name, List<String> columns, boolean ofFields) implements Happening {
    /** With a default, and no field has its name. */
    static final ColumnAdded OF_NO_FIELD = new ColumnAdded(
            "column-added", List.of("extra0 int DEFAULT 7", "extra1 int DEFAULT 7", "extra2 int DEFAULT 7"), false);

    /** From these types each value can be read back as it was. */
    static final ColumnAdded OF_FIELD = new ColumnAdded(
            "field-column-added",
            List.of("n jsonb", "version int", "a bigint", "b numeric", "c float8", "o json", "text text"),
            true);

    @Override
    public boolean fits(CheckCase sofar) {
        return sofar.sink().equals("jsonb")
                && (sofar.hasFieldColumns() || !ofFields)
                && !sofar.settings().getOrDefault("auto.create", "false").equals("true");
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        String column = columns.get(choice.nextInt(columns.size()));
        for (String statement : running.planned().store()) {
            String table = statement.substring(statement.indexOf('"'), statement.lastIndexOf('"') + 1);
            running.store()
                    .change(
                            running.name(),
                            "ALTER TABLE " + CheckCase.named(table, running.name()) + " ADD COLUMN IF NOT EXISTS "
                                    + column);
        }
    }
}
