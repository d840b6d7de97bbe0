package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
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
        // The name of the case, which has another number in each run, may not decide the order of the choices.
        SortedMap<String, TopicPartition> partitions = new TreeMap<>();
        Map<TopicPartition, Long> ends = running.ends();
        ends.keySet().forEach(partition -> partitions.put(partition.toString(), partition));
        for (TopicPartition partition : partitions.values()) {
            int end = Math.toIntExact(ends.get(partition));
            if (end > 0 && (choice.nextBoolean() || back.isEmpty())) {
                back.put(partition, (long) choice.nextInt(end));
            }
        }
        if (!back.isEmpty()) {
            running.alterOffsets(back);
        }
        running.resume();
    }
}
