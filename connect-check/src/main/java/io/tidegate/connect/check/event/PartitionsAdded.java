package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.util.Random;

/** A topic gets more partitions. */
final class PartitionsAdded implements Happening {
    @Override
    public String name() {
        return "partitions-added";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return true;
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        String topic =
                running.partitions().keySet().stream().sorted().findFirst().orElseThrow();
        int total = running.partitions().get(topic) + 1 + choice.nextInt(2);
        running.lab().kafka().addPartitions(topic, total);
        running.partitions().put(topic, total);
    }
}
