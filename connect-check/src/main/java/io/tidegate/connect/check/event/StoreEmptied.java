package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.util.Random;

/** Somebody empties the tables, or deletes the indexes, between two records. */
final class StoreEmptied implements Happening {
    @Override
    public String name() {
        return "store-emptied";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return true;
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        running.settle();
        running.store().empty(running.planned(), running.name());
        running.storeWasEmptied();
    }
}
