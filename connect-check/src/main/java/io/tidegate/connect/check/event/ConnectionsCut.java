package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import io.tidegate.connect.testkit.process.Poll;
import java.time.Duration;
import java.util.Random;

/** Connections to the store are lost again and again for a second, also in the middle of a request. */
final class ConnectionsCut implements Happening {
    private static final int MOST = 12;
    private static final int LONGEST_PAUSE = 120;

    @Override
    public String name() {
        return "connections-cut";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return true;
    }

    @Override
    public void happen(RunningCase running, Random choice) {
        int cuts = 1 + choice.nextInt(MOST);
        for (int i = 0; i < cuts; i++) {
            running.proxy().cut();
            Poll.pause(Duration.ofMillis(choice.nextInt(LONGEST_PAUSE)));
        }
    }
}
