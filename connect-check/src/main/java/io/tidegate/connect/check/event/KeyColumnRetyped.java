package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import io.tidegate.connect.testkit.process.Poll;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** The type of the key's column changes while rows are written. */
final class KeyColumnRetyped implements Happening {
    private static final int LONGEST_PAUSE = 300;

    @Override
    public String name() {
        return "key-column-retyped";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return sofar.sink().equals("jsonb")
                && sofar.store().stream().anyMatch(statement -> statement.contains(", id text"));
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        for (String type : List.of("varchar(2000)", "text")) {
            for (String statement : running.planned().store()) {
                String table = statement.substring(
                        statement.indexOf('"'), statement.indexOf('"', statement.indexOf('"') + 1) + 1);
                running.store()
                        .change(
                                running.name(),
                                "ALTER TABLE " + CheckCase.named(table, running.name()) + " ALTER COLUMN id TYPE "
                                        + type);
            }
            Poll.pause(Duration.ofMillis(choice.nextInt(LONGEST_PAUSE)));
        }
    }
}
