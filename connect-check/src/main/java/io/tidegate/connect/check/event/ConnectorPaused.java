package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import io.tidegate.connect.testkit.process.Poll;
import java.time.Duration;
import java.util.Random;

/** An operator pauses the connector in the middle of its work, and resumes it. */
final class ConnectorPaused implements Happening {
    private static final int LONGEST_PAUSE = 1_500;

    @Override
    public String name() {
        return "connector-paused";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return true;
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        running.awaitStarted();
        running.rest().pause(running.name());
        Poll.pause(Duration.ofMillis(choice.nextInt(LONGEST_PAUSE)));
        running.resume();
    }
}
