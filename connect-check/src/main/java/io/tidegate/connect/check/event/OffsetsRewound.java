package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;

/** The offsets of some partitions are set back through the REST API. */
final class OffsetsRewound implements Happening {
    @Override
    public String name() {
        return "offsets-rewound";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return true;
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        running.settle();
        running.stop();
        Map<TopicPartition, Long> back = new HashMap<>();
        running.lab().kafka().ends(running.partitions()).forEach((partition, end) -> {
            if (end > 0 && choice.nextBoolean()) {
                back.put(partition, (long) choice.nextInt(Math.toIntExact(end)));
            }
        });
        if (!back.isEmpty()) {
            running.alterOffsets(back);
        }
        running.resume();
    }
}
