package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.util.List;
import java.util.Random;

/** Another session locks a table of the case for some seconds, as DDL does. */
final class TableLocked implements Happening {
    private static final List<String> MODES = List.of("SHARE", "ACCESS EXCLUSIVE");
    private static final int LONGEST_MS = 5_000;

    @Override
    public String name() {
        return "table-locked";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return CreatedTables.areIn(sofar);
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        String table = CreatedTables.one(running, choice);
        running.store()
                .change(
                        running.name(),
                        "DO $$ BEGIN LOCK TABLE \"%s\" IN %s MODE; PERFORM pg_sleep(%d / 1000.0); END $$"
                                .formatted(table, MODES.get(choice.nextInt(MODES.size())), choice.nextInt(LONGEST_MS)));
    }
}
