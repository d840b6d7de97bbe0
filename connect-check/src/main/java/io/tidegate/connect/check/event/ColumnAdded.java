package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.util.Random;

/** Tables get another column with a default, while rows are written. */
final class ColumnAdded implements Happening {
    @Override
    public String name() {
        return "column-added";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return sofar.sink().equals("jsonb")
                && !sofar.settings().getOrDefault("auto.create", "false").equals("true");
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        for (String statement : running.planned().store()) {
            String table = statement.substring(statement.indexOf('"'), statement.lastIndexOf('"') + 1);
            running.store()
                    .change(
                            running.name(),
                            "ALTER TABLE " + CheckCase.named(table, running.name()) + " ADD COLUMN IF NOT EXISTS extra"
                                    + choice.nextInt(3) + " int DEFAULT 7");
        }
    }
}
