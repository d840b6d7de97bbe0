package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import io.tidegate.connect.testkit.process.Poll;
import java.time.Duration;
import java.util.Random;

/** The indexes do not take writes for a second, as when a disk is full. */
final class IndexBlocked implements Happening {
    private static final int LONGEST_PAUSE = 1_200;

    @Override
    public String name() {
        return "index-blocked";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return sofar.sink().equals("es");
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        running.settle();
        running.store().change(running.name(), "{\"index.blocks.write\": true}");
        running.sendSome();
        Poll.pause(Duration.ofMillis(choice.nextInt(LONGEST_PAUSE)));
        running.store().change(running.name(), "{\"index.blocks.write\": null}");
    }
}
