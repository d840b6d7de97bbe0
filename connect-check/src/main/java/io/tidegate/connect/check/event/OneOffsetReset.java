package io.tidegate.connect.check.event;

import io.tidegate.connect.check.oracle.Difference;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;

/** The offset of one partition is reset through the REST API. The others go on where they were. */
final class OneOffsetReset implements Happening {
    @Override
    public String name() {
        return "one-offset-reset";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return true;
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        running.settle();
        running.stop();
        List<TopicPartition> partitions = new ArrayList<>();
        running.ends().forEach((partition, end) -> {
            if (end > 0) {
                partitions.add(partition);
            }
        });
        if (!partitions.isEmpty()) {
            partitions.sort(Comparator.comparing(TopicPartition::toString));
            reset(running, partitions.get(choice.nextInt(partitions.size())));
        }
        running.resume();
    }

    private static void reset(RunningCase running, TopicPartition reset) throws Exception {
        Map<TopicPartition, Long> others = new HashMap<>(running.store().offsets(running.name()));
        others.remove(reset);
        running.resetOffset(reset);
        Map<TopicPartition, Long> left = running.store().offsets(running.name());
        others.forEach((partition, next) -> {
            if (!next.equals(left.get(partition))) {
                running.notice(
                        Difference.Kind.OFFSET_CHANGED,
                        "the offset of %s was reset, and that of %s changed from %d to %s"
                                .formatted(reset, partition, next, left.get(partition)));
            }
        });
    }
}
