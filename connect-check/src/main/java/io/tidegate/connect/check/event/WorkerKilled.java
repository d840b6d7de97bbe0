package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import io.tidegate.connect.testkit.process.Server;
import java.util.Random;

/** One of the workers is killed and started again. All cases that run feel it. */
final class WorkerKilled implements Happening {
    @Override
    public String name() {
        return "worker-killed";
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
    public void happen(RunningCase running, Random choice) {
        running.lab().alone(name(), () -> {
            Server worker = running.lab()
                    .workers()
                    .get(choice.nextInt(running.lab().workers().size()));
            worker.kill();
            worker.start();
        });
    }
}
