package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.util.Random;

/** The offsets are reset through the REST API, so that everything is delivered again. */
final class OffsetsReset implements Happening {
    @Override
    public String name() {
        return "offsets-reset";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return true;
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        running.settle();
        running.stop();
        running.resetOffsets();
        running.resume();
    }
}
