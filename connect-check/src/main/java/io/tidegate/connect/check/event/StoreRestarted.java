package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.util.Random;

/** The store is killed and started again. All cases that run feel it. */
final class StoreRestarted implements Happening {
    @Override
    public String name() {
        return "store-restarted";
    }

    @Override
    public int weight() {
        return 1;
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return true;
    }

    @Override
    public void happen(RunningCase running, Random choice) {
        running.lab().alone(name(), () -> {
            running.store().server().kill();
            running.store().server().start();
        });
    }
}
