package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import io.tidegate.connect.testkit.process.Poll;
import java.time.Duration;
import java.util.Random;

/** Connections are silent from some moment on and are cut later, so that the store has done what nobody was told. */
final class AnswersLost implements Happening {
    private static final int TIMES = 4;
    private static final int LONGEST_PAUSE = 200;

    @Override
    public String name() {
        return "answers-lost";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return true;
    }

    @Override
    public void happen(RunningCase running, Random choice) {
        for (int i = 0; i < TIMES; i++) {
            running.proxy().strand();
            Poll.pause(Duration.ofMillis(choice.nextInt(LONGEST_PAUSE)));
            running.proxy().cut();
            Poll.pause(Duration.ofMillis(choice.nextInt(LONGEST_PAUSE)));
        }
    }
}
