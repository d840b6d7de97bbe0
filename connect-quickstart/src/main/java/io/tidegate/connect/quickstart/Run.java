package io.tidegate.connect.quickstart;

import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.quickstart.view.Sink;
import io.tidegate.connect.quickstart.view.View;
import io.tidegate.connect.quickstart.view.View.Phase;
import io.tidegate.connect.testkit.process.ServerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One run of the pipeline, from the start of the servers to their end. Used by the main thread only. */
final class Run {
    private static final Duration ASSIGNMENT = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Plan plan;
    private final Layout layout;
    private final View view;

    Run(Plan plan, Layout layout, View view) {
        this.plan = plan;
        this.layout = layout;
        this.view = view;
    }

    /**
     * Runs the plan and returns the result of each sink. Without {@code --exit} it returns only when it is interrupted.
     *
     * @throws ToolException if a server, a connector or the input fails
     */
    List<Result> run() throws ToolException, InterruptedException {
        try (Servers servers = new Servers(stores())) {
            view.say("Starting servers");
            servers.start(layout, view);
            List<Result> results = run(servers);
            if (!plan.exit()) {
                new Report(view).addresses(servers);
                new CountDownLatch(1).await();
            }
            return results;
        } catch (ServerException e) {
            Interruption.unwrap(e);
            throw new ToolException(e.getMessage(), e);
        }
    }

    private List<TideStore> stores() {
        return plan.sinks().stream()
                .map(sink -> switch (sink) {
                    case JSONB -> (TideStore) new TidesTable(plan.partitions());
                    case ES -> new TidesIndex(layout.indexDefinition());
                })
                .toList();
    }

    private List<Result> run(Servers servers) throws ToolException, InterruptedException {
        String bootstrap = servers.broker().bootstrapServers();
        servers.broker().createTopic(Plan.TOPIC, plan.partitions());
        Connectors connectors = new Connectors(servers.worker().rest());
        for (Sink sink : plan.sinks()) {
            connectors.create(layout.connectorJson(sink), plan.tasks());
            view.say("  connector " + sink.connector() + " created from docker/connectors/" + sink.connector()
                    + ".json");
        }
        try (Groups groups = new Groups(bootstrap);
                Feeder feeder = new Feeder(bootstrap, plan.partitions(), plan.source(), plan.records());
                DetailReader details = DetailReader.of(view, servers.worker())) {
            awaitAssignment(groups);
            view.enter(Phase.STREAMING);
            view.say("Streaming " + plan.records() + " records");
            Map<String, Duration> before = servers.cpuTimes();
            double unused = Report.machineLoad(); // The next call measures from here on.
            Watch watch = new Watch(feeder, groups, connectors, details, view, plan.records(), servers.stores());
            List<Watch.Timing> timings = watch.untilAllIsStored();
            Map<String, Duration> after = servers.cpuTimes();
            view.enter(Phase.CHECKING);
            List<Result> results = count(servers.stores(), feeder.produced(), timings);
            Report report = new Report(view);
            report.verdict(results);
            report.examples(servers.stores());
            report.steadyRates(results);
            report.limits(before, after, results);
            report.cost(before, after, plan.records());
            report.next(plan);
            report.results(results);
            view.enter(results.stream().allMatch(Result::isExact) ? Phase.FINISHED : Phase.FAILED);
            return results;
        }
    }

    /** Waits for the assignment of the partitions. Otherwise the measured time would include the first rebalance. */
    private void awaitAssignment(Groups groups) throws ToolException, InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long deadline = System.nanoTime() + ASSIGNMENT.toNanos();
        for (Sink sink : plan.sinks()) {
            while (!groups.consumes(sink, plan.partitions())) {
                if (System.nanoTime() - deadline > 0) {
                    throw new ToolException("the tasks of " + sink.connector() + " did not get their partitions within "
                            + ASSIGNMENT.toSeconds() + " s");
                }
                never.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }

    private static List<Result> count(List<TideStore> stores, Produced produced, List<Watch.Timing> timings)
            throws ToolException, InterruptedException {
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < stores.size(); i++) {
            TideStore store = stores.get(i);
            results.add(new Result(
                    store.sink(),
                    produced.total(),
                    store.count(),
                    store.duplicates(produced),
                    timings.get(i).elapsed(),
                    timings.get(i).steadyRate()));
        }
        return results;
    }
}
