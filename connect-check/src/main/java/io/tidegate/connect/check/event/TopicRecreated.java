package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/** A topic is deleted and created again while the connector is stopped, and its offsets are set to 0, as the error message would say. */
final class TopicRecreated implements Happening {
    /** Whether a record of the new log is compared with the offsets or coordinates of the old one. */
    private static boolean isCompared(CheckCase sofar) {
        Map<String, String> settings = sofar.settings();
        boolean coordinates = settings.getOrDefault("pk.mode", "none").equals("kafka");
        String version = settings.getOrDefault("external.version", "auto");
        return settings.getOrDefault("stale.write.guard", "none").equals("offset")
                || (coordinates
                        && settings.getOrDefault("insert.mode", "insert").equals("insert"))
                || version.equals("offset")
                || (sofar.sink().equals("es") && version.equals("auto"));
    }

    @Override
    public String name() {
        return "topic-recreated";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return !isCompared(sofar);
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        running.settle();
        running.stop();
        String topic =
                running.partitions().keySet().stream().sorted().findFirst().orElseThrow();
        running.lab().kafka().deleteTopics(List.of(topic));
        running.lab().kafka().createTopic(topic, running.partitions().get(topic));
        Map<TopicPartition, Long> beginning = new HashMap<>();
        IntStream.range(0, running.partitions().get(topic))
                .forEach(partition -> beginning.put(new TopicPartition(topic, partition), 0L));
        running.alterOffsets(beginning);
        running.resume();
    }
}
