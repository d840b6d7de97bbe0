package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.connector.OwnPlugin;
import io.tidegate.connect.bench.drain.Candidate;
import io.tidegate.connect.bench.drain.Candidates;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.testbed.DeployedConnector;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.bench.testbed.WorkerGroup;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/**
 * Measures a cluster of two workers, one of which already runs a task of another connector. It shows how Connect
 * distributes a sink's tasks, and how that changes the rate.
 */
@Command(
        name = "placement",
        description =
                "Measures two workers, one of which runs a task of another connector: tasks per worker, and the best"
                        + " tasks.max.")
final class PlacementScenario extends DrainScenario {
    private static final int WORKERS = 2;
    private static final String GROUP = "bench-cluster";

    PlacementScenario(Path root) {
        super(root, List.of(1, 2, 3, 4), 4, "jsonb");
    }

    @Override
    public List<Candidate> candidates(Candidates make) throws ToolException {
        WorkerGroup cluster = cluster(make.bed(), make.topic());
        List<Candidate> all = new ArrayList<>();
        for (int tasks : plan().tasks()) {
            all.add(make.connector(() -> cluster, spec(), tasks));
        }
        return all;
    }

    /** Starts the other connector before the second worker joins, so that its only task stays on the first worker. */
    private WorkerGroup cluster(TestBed bed, Topic topic) throws ToolException {
        Path plugin = spec().folder();
        Path own = OwnPlugin.folder(root());
        List<ConnectWorker> workers = new ArrayList<>();
        workers.add(bed.worker(GROUP, plugin, own));
        DeployedConnector other = new DeployedConnector(workers.get(0).rest(), "another");
        Map<String, String> config = new HashMap<>(OwnPlugin.noOpSink(root()).config());
        config.putAll(Map.of("topics", topic.name(), "tasks.max", "1"));
        other.create(config);
        other.awaitRunning(1);
        while (workers.size() < WORKERS) {
            workers.add(bed.worker(GROUP, plugin, own));
        }
        return bed.group(List.of(plugin), workers);
    }

    @Override
    public List<String> findings(Results results) {
        Figures figures = new Figures(results);
        List<String> findings = new ArrayList<>();
        findings.add("Another connector runs one task on the first of the " + WORKERS + " workers.");
        for (CandidateInfo entrant : results.entrants()) {
            double most = figures.of(entrant.label(), Measure.TASKS_MOST);
            double fewest = figures.of(entrant.label(), Measure.TASKS_FEWEST);
            if (most > 0) {
                findings.add(Figures.format(
                        "%s: %.0f tasks on the fullest worker, %.0f on the emptiest%s, %,.0f records/s.",
                        entrant.label(), most, fewest, most > fewest ? ": UNEVEN" : "", figures.rate(entrant.label())));
            }
        }
        findings.add("Recommended: tasks.max=" + recommended(WORKERS, plan().partitions())
                + ", the largest multiple of " + WORKERS + " workers within " + plan().partitions()
                + " partitions. Use fewer tasks if they reach your rate.");
        return findings;
    }

    /** The largest multiple of the workers up to the partitions; one task per partition if there are more workers. */
    static int recommended(int workers, int partitions) {
        return partitions < workers ? partitions : partitions / workers * workers;
    }
}
