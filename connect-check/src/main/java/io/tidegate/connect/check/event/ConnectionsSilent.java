package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import io.tidegate.connect.testkit.process.Poll;
import java.time.Duration;
import java.util.Random;

/** The way to the store is silent for a while: connections stay open, and nothing arrives. */
final class ConnectionsSilent implements Happening {
    private static final int LONGEST_PAUSE = 2_500;

    @Override
    public String name() {
        return "connections-silent";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return true;
    }

    @Override
    public void happen(RunningCase running, Random choice) {
        running.proxy().swallow();
        Poll.pause(Duration.ofMillis(choice.nextInt(LONGEST_PAUSE)));
        if (choice.nextBoolean()) {
            running.proxy().cut();
        }
        running.proxy().passOn();
    }
}
