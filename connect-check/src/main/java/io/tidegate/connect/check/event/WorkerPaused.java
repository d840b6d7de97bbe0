package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.Server;
import java.time.Duration;
import java.util.Random;

/** One of the workers stops for a while and goes on, perhaps after its partitions have moved. */
final class WorkerPaused implements Happening {
    private static final int LONGEST_PAUSE = 9_000;

    @Override
    public String name() {
        return "worker-paused";
    }

    @Override
    public int weight() {
        return 1;
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return true;
    }

    @Override
    public boolean isFollowedByLateWrites() {
        return true;
    }

    @Override
    public void happen(RunningCase running, Random choice) {
        running.lab().alone(name(), () -> {
            Server worker = running.lab()
                    .workers()
                    .get(choice.nextInt(running.lab().workers().size()));
            worker.pause();
            Poll.pause(Duration.ofMillis(choice.nextInt(LONGEST_PAUSE)));
            worker.resume();
        });
    }
}
