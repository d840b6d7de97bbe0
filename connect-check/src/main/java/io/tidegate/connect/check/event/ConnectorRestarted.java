package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.util.Random;

/** An operator restarts the connector and its tasks. */
final class ConnectorRestarted implements Happening {
    @Override
    public String name() {
        return "connector-restarted";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return true;
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        running.awaitStarted();
        running.rest().restart(running.name(), true);
    }
}
