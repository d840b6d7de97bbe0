package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import io.tidegate.connect.testkit.process.Poll;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * The store comes back as it was a moment before, while records are written, as after a failover to a standby that lagged or
 * from a backup. With exactly once nothing may be lost or doubled. The connector is restarted afterwards, so that it has a
 * reason to look.
 */
final class StoreWentBack implements Happening {
    private static final int LONGEST_MOMENT = 1_500;
    private static final Duration LONGEST_START = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "store-went-back";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return sofar.sink().equals("jsonb")
                && sofar.settings()
                        .getOrDefault("delivery.guarantee", "at_least_once")
                        .equals("exactly_once")
                // What was aborted is not delivered again either, and so it may count as missing, as documented.
                && !sofar.settings().containsKey("consumer.override.isolation.level");
    }

    /** Whether the store has an offset of each partition with records. Without one, Kafka's group says where a task begins. */
    private static boolean knowsAll(RunningCase running) {
        try {
            Set<TopicPartition> known = running.store().offsets(running.name()).keySet();
            return running.ends().entrySet().stream()
                    .allMatch(end -> end.getValue() == 0 || known.contains(end.getKey()));
        } catch (Exception e) {
            return false; // the store is away, because of another case
        }
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        boolean isRunning = choice.nextBoolean();
        if (!Poll.until(() -> knowsAll(running), LONGEST_START)) {
            return;
        }
        running.storeWentBack();
        Set<TopicPartition> known = running.store().offsets(running.name()).keySet();
        running.store().remember(running.name());
        running.sendSome(known::contains); // a first record of another partition would be lost, as documented
        Poll.pause(Duration.ofMillis(choice.nextInt(LONGEST_MOMENT)));
        if (isRunning) {
            running.store().goBack(running.name());
        }
        running.stop();
        if (!isRunning) {
            running.store().goBack(running.name());
        }
        running.resume();
    }
}
