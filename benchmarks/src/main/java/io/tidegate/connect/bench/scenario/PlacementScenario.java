package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.connector.OwnPlugin;
import io.tidegate.connect.bench.drain.Candidate;
import io.tidegate.connect.bench.drain.ConnectorCandidate;
import io.tidegate.connect.bench.drain.DrainPlan;
import io.tidegate.connect.bench.drain.Experiment;
import io.tidegate.connect.bench.drain.Figures;
import io.tidegate.connect.bench.plugin.NoOpSinkConnector;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.testbed.DeployedConnector;
import io.tidegate.connect.bench.testbed.FailureDiagnostics;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.tools.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A cluster of two workers, one of which has another connector's task already: how Connect spreads a sink's tasks, and
 * what that does to the rate.
 */
record PlacementScenario(DrainPlan plan) implements Experiment {
    private static final int WORKERS = 2;
    private static final String GROUP = "bench-cluster";
    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

    @Override
    public String name() {
        return "scenario placement";
    }

    @Override
    public List<Candidate> contestants(TestBed bed, Topic topic) throws ToolException {
        ConnectorSpec subject = plan.subjects().get(0);
        TestBed.Station cluster = cluster(bed, subject.folder(), topic);
        List<Candidate> all = new ArrayList<>();
        FailureDiagnostics evidence = new FailureDiagnostics(plan.out());
        for (int tasks : plan.tasks()) {
            all.add(new ConnectorCandidate(bed, () -> cluster, topic, subject, tasks, evidence));
        }
        return all;
    }

    /** The other connector is there before the second worker joins, and has one task, which therefore stays where it is. */
    private static TestBed.Station cluster(TestBed bed, Path plugin, Topic topic) throws ToolException {
        List<ConnectWorker> workers = new ArrayList<>();
        workers.add(bed.worker(GROUP, plugin, OwnPlugin.folder()));
        DeployedConnector other = new DeployedConnector(workers.get(0).rest(), "another");
        other.create(Map.of(
                "connector.class",
                NoOpSinkConnector.class.getName(),
                "key.converter",
                BYTES,
                "value.converter",
                BYTES,
                "topics",
                topic.name(),
                "tasks.max",
                "1"));
        other.awaitRunning(1);
        while (workers.size() < WORKERS) {
            workers.add(bed.worker(GROUP, plugin, OwnPlugin.folder()));
        }
        return bed.settle(plugin, workers);
    }

    @Override
    public List<String> findings(Results results) {
        Figures medians = new Figures(results);
        List<String> findings = new ArrayList<>();
        findings.add("Another connector has one task, on the first of the " + WORKERS + " workers.");
        for (Entrant entrant : results.entrants()) {
            double most = medians.of(entrant.label(), Measure.TASKS_MOST).orElse(0.0);
            double fewest = medians.of(entrant.label(), Measure.TASKS_FEWEST).orElse(0.0);
            if (most > 0) {
                findings.add(Figures.format(
                        "%s: %.0f on the fullest worker, %.0f on the emptiest%s, %,.0f records/s.",
                        entrant.label(), most, fewest, most > fewest ? ": UNEVEN" : "", medians.rate(entrant.label())));
            }
        }
        findings.add("Recommended: tasks.max=" + recommended(WORKERS, plan.partitions()) + ", the largest multiple of "
                + WORKERS + " workers within " + plan.partitions() + " partitions, as far as the rate needs it.");
        return findings;
    }

    /** A multiple of the workers, at most the partitions; fewer partitions than workers leave one task for each. */
    static int recommended(int workers, int partitions) {
        return partitions < workers ? partitions : partitions / workers * workers;
    }
}
