package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.time.Instant;
import java.util.Random;

/** A trigger of a table hangs for some seconds, and each statement that has met it for much longer. */
final class TableHangs implements Happening {
    private static final int LONGEST_MS = 5_000;

    /** After the row is stored: of a trigger before that, an audit would not know what it has changed. */
    private static final String HANG = """
            CREATE OR REPLACE FUNCTION "hang of %1$s"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF clock_timestamp() < timestamptz '%2$s' THEN PERFORM pg_sleep(30); END IF;
                RETURN NULL;
            END $$;
            CREATE OR REPLACE TRIGGER hang AFTER INSERT OR UPDATE OR DELETE ON "%1$s"
                FOR EACH ROW EXECUTE FUNCTION "hang of %1$s"()
            """;

    @Override
    public String name() {
        return "table-hangs";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return CreatedTables.areIn(sofar);
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        String table = CreatedTables.one(running, choice);
        String until = Instant.now().plusMillis(choice.nextInt(LONGEST_MS)).toString();
        running.store().change(running.name(), HANG.formatted(table, until));
    }
}
