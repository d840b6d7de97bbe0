package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import io.tidegate.connect.testkit.process.Poll;
import java.time.Duration;
import java.util.Random;

/** The store does not answer for a while. All cases that run feel it. */
final class StorePaused implements Happening {
    private static final int LONGEST_PAUSE = 3_000;

    @Override
    public String name() {
        return "store-paused";
    }

    @Override
    public int weight() {
        return 2;
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return true;
    }

    @Override
    public void happen(RunningCase running, Random choice) {
        running.lab().alone(name(), () -> {
            running.store().server().pause();
            Poll.pause(Duration.ofMillis(choice.nextInt(LONGEST_PAUSE)));
            running.store().server().resume();
        });
    }
}
