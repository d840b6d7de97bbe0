package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import io.tidegate.connect.testkit.process.Poll;
import java.time.Duration;
import java.util.Random;

/** The schema registry does not answer for a while. */
final class RegistryPaused implements Happening {
    private static final int LONGEST_PAUSE = 2_500;

    @Override
    public String name() {
        return "registry-paused";
    }

    @Override
    public int weight() {
        return 10;
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return sofar.settings().containsKey("value.format");
    }

    @Override
    public void happen(RunningCase running, Random choice) {
        running.lab().alone(name(), () -> {
            running.lab().registry().pause();
            Poll.pause(Duration.ofMillis(choice.nextInt(LONGEST_PAUSE)));
            running.lab().registry().resume();
        });
    }
}
