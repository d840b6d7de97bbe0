package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.RunningCase;
import java.util.List;
import java.util.Random;

/** The tables that a case creates for the JSONB sink. */
final class CreatedTables {
    private CreatedTables() {}

    static boolean areIn(CheckCase sofar) {
        return sofar.sink().equals("jsonb") && !sofar.store().isEmpty();
    }

    /** The name of one of them, without quotes. */
    static String one(RunningCase running, Random choice) {
        List<String> statements = running.planned().store();
        String creation = CheckCase.named(statements.get(choice.nextInt(statements.size())), running.name());
        return creation.split("\"", -1)[1];
    }
}
