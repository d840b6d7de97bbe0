package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.bench.testbed.DeployedConnector;
import io.tidegate.connect.bench.testbed.FrameworkProbe;
import io.tidegate.connect.bench.testbed.Recorder;
import io.tidegate.connect.bench.testbed.Series;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.bench.testbed.WorkerGroup;
import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.Store;
import io.tidegate.connect.lab.store.StoreProbe;
import io.tidegate.connect.lab.worker.WorkerMetrics;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.testkit.process.ServerException;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A sink connector with a number of tasks, on a worker that has only these plugins. Each run has a new connector, and
 * thus a new consumer group.
 */
final class ConnectorCandidate implements Candidate {
    private final Candidates common;
    private final Topic topic;
    private final List<Path> plugins;
    private final ConnectorSpec spec;
    private final CandidateInfo entrant;
    private double progressPerRecord;

    ConnectorCandidate(Candidates common, List<Path> plugins, ConnectorSpec spec, int tasks) {
        this.common = common;
        topic = common.topic();
        this.plugins = plugins;
        this.spec = spec;
        entrant = spec.entrant(topic.name(), tasks);
    }

    @Override
    public CandidateInfo entrant() {
        return entrant;
    }

    @Override
    public Run run(int round) throws ToolException, InterruptedException {
        Deployment deployment = deploy(Integer.toString(round));
        try {
            return measured(round, deployment);
        } catch (ServerException e) {
            Interruption.unwrap(e);
            return Runs.failed(entrant, round, e.getMessage());
        } catch (RunFailure e) {
            common.diagnostics().keep(deployment.connector.name(), deployment.workers);
            return Runs.failed(entrant, round, e.getMessage());
        } finally {
            deployment.connector.remove(deployment.probe);
        }
    }

    /** The workers, the connector and the store of a run. */
    private record Deployment(
            WorkerGroup workers, DeployedConnector connector, StoreProbe probe, List<Server> servers) {}

    /** Uses a new name, which gives a new consumer group. */
    private Deployment deploy(String suffix) throws ToolException {
        WorkerGroup workers = common.bed().group(plugins);
        String name = "bench-" + Integer.toHexString(entrant.label().hashCode()) + "-" + suffix;
        DeployedConnector connector = new DeployedConnector(workers.rest(), name);
        if (spec.store() == StoreKind.NONE) {
            StoreProbe probe = new FrameworkProbe(workers.metrics(), name, Optional.empty());
            return new Deployment(workers, connector, probe, List.of());
        }
        Store store = common.bed().store(spec.store());
        store.reset(spec.table().of(topic.records()), spec.indexDefinition());
        StoreProbe probe =
                spec.table().isChanged() ? new FrameworkProbe(workers.metrics(), name, Optional.of(store)) : store;
        return new Deployment(workers, connector, probe, store.servers());
    }

    private Run measured(int round, Deployment at) throws RunFailure, ToolException, InterruptedException {
        WorkerMetrics metrics = at.workers.metrics();
        WorkerMetrics.Collections collections = metrics.collections();
        Recorder recorder = new Recorder(common.bed(), at.workers::cpu, at.servers, Optional.of(metrics));
        at.connector.create(entrant.config());
        new Drain(at.probe, recorder, topic.records(), progressPerRecord, at.connector::problem).untilAllIsStored();
        Series series = Series.of(recorder.samples(), topic.records());
        progressPerRecord =
                (double) recorder.samples().get(recorder.samples().size() - 1).stored() / topic.records();
        Map<Measure, Double> measures = series.measures(topic.records(), topic.bytes());
        measures.putAll(workerMeasures(at));
        WorkerMetrics.Collections after = metrics.collections();
        measures.put(Measure.GC_COUNT, (double) (after.count() - collections.count()));
        measures.put(Measure.GC_MILLIS, (double) (after.millis() - collections.millis()));
        at.connector.remove(at.probe);
        measures.put(Measure.CONNECTIONS_LEFT, (double) at.probe.connections());
        if (spec.store() != StoreKind.NONE) {
            double bytes = common.bed().store(spec.store()).bytes();
            measures.put(Measure.STORED_BYTES, bytes / topic.records());
        }
        long requests = at.probe.requests();
        if (requests > 0) {
            measures.put(Measure.REQUEST_RECORDS, (double) topic.records() / requests);
        }
        return Runs.ok(entrant, round, measures, series);
    }

    private static Map<Measure, Double> workerMeasures(Deployment at) throws ToolException {
        WorkerMetrics metrics = at.workers.metrics();
        String name = at.connector.name();
        Map<Measure, Double> measures = new LinkedHashMap<>();
        measures.put(Measure.POLL_RECORDS, metrics.pollRecords(name));
        measures.put(
                Measure.RETRIES,
                metrics.retries(name)
                        + metrics.pluginSum(name, "retries-transient-total")
                        + metrics.pluginSum(name, "retries-rejected-total"));
        putIfKnown(measures, Measure.WRITE_P50, metrics.pluginMax(name, "write-latency-ms-p50"));
        putIfKnown(measures, Measure.WRITE_P99, metrics.pluginMax(name, "write-latency-ms-p99"));
        int workers = at.workers.members().size();
        if (workers > 1) {
            DoubleSummaryStatistics tasks = at.connector.tasksByWorker().values().stream()
                    .mapToDouble(Long::doubleValue)
                    .summaryStatistics();
            measures.put(Measure.TASKS_MOST, tasks.getMax());
            measures.put(Measure.TASKS_FEWEST, tasks.getCount() < workers ? 0 : tasks.getMin());
        }
        return measures;
    }

    private static void putIfKnown(Map<Measure, Double> measures, Measure measure, double figure) {
        if (!Double.isNaN(figure)) {
            measures.put(measure, figure);
        }
    }
}
