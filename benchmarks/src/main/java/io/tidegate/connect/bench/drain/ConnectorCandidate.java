package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.bench.testbed.DeployedConnector;
import io.tidegate.connect.bench.testbed.FailureDiagnostics;
import io.tidegate.connect.bench.testbed.FrameworkProbe;
import io.tidegate.connect.bench.testbed.Recorder;
import io.tidegate.connect.bench.testbed.Series;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.bench.testbed.WorkerProbe;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.testkit.process.ServerException;
import io.tidegate.connect.tools.Interruption;
import io.tidegate.connect.tools.ToolException;
import io.tidegate.connect.tools.store.Store;
import io.tidegate.connect.tools.store.StoreProbe;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A sink connector with a number of tasks. Each run has a connector of its own, and with it a consumer group. */
public final class ConnectorCandidate implements Candidate {
    static final String CONNECTOR = "connector";
    static final String FLOOR = "floor";

    private final TestBed bed;
    private final StationSource place;
    private final Topic topic;
    private final ConnectorSpec subject;
    private final Entrant entrant;
    private final FailureDiagnostics evidence;
    private double progressPerRecord;

    /** The workers that it runs on; asked when it is its turn. */
    public interface StationSource {
        TestBed.Station get() throws ToolException;
    }

    /** On a worker that has its plugin alone. */
    public ConnectorCandidate(TestBed bed, Topic topic, ConnectorSpec subject, int tasks, FailureDiagnostics evidence) {
        this(bed, () -> bed.station(subject.folder()), topic, subject, tasks, evidence);
    }

    public ConnectorCandidate(
            TestBed bed,
            StationSource place,
            Topic topic,
            ConnectorSpec subject,
            int tasks,
            FailureDiagnostics evidence) {
        this.bed = bed;
        this.place = place;
        this.evidence = evidence;
        this.topic = topic;
        this.subject = subject;
        entrant = entrant(subject, topic.name(), tasks);
    }

    public static Entrant entrant(ConnectorSpec subject, String topic, int tasks) {
        Map<String, String> config = new LinkedHashMap<>(subject.config());
        config.put("topics", topic);
        config.put("tasks.max", Integer.toString(tasks));
        config.putIfAbsent("consumer.override.auto.offset.reset", "earliest");
        return new Entrant(
                subject.name() + ", " + tasks + (tasks == 1 ? " task" : " tasks"),
                subject.store() == StoreKind.NONE ? FLOOR : CONNECTOR,
                subject.store().label(),
                tasks,
                config);
    }

    @Override
    public Entrant entrant() {
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
            evidence.keep(deployment.connector.name(), deployment.station);
            return Runs.failed(entrant, round, e.getMessage());
        } finally {
            deployment.connector.remove(deployment.gauge);
        }
    }

    /** Where a run takes place. */
    private record Deployment(
            TestBed.Station station, DeployedConnector connector, StoreProbe gauge, List<Server> servers) {}

    /** A name of its own is a consumer group of its own. */
    private Deployment deploy(String suffix) throws ToolException {
        TestBed.Station station = place.get();
        String name = "bench-" + Integer.toHexString(entrant.label().hashCode()) + "-" + suffix;
        DeployedConnector connector = new DeployedConnector(station.rest(), name);
        if (subject.store() == StoreKind.NONE) {
            return new Deployment(station, connector, new FrameworkProbe(station.probe(), name), List.of());
        }
        Store store = bed.store(subject.store());
        store.reset(subject.table(), subject.indexDefinition());
        return new Deployment(station, connector, store, store.servers());
    }

    private Run measured(int round, Deployment at) throws RunFailure, ToolException, InterruptedException {
        WorkerProbe probe = at.station.probe();
        WorkerProbe.Collections collections = probe.collections();
        Recorder recorder = new Recorder(bed, at.station::cpu, at.servers, Optional.of(probe));
        at.connector.create(entrant.config());
        new Drain(at.gauge, recorder, topic.records(), progressPerRecord, at.connector::problem).untilAllIsStored();
        Series series = Series.of(recorder.samples(), topic.records());
        progressPerRecord =
                (double) recorder.samples().get(recorder.samples().size() - 1).stored() / topic.records();
        Map<Measure, Double> measures = series.measures(topic.records(), topic.bytes());
        measures.putAll(ofTheWorkers(at));
        WorkerProbe.Collections after = probe.collections();
        measures.put(Measure.GC_COUNT, (double) (after.count() - collections.count()));
        measures.put(Measure.GC_MILLIS, (double) (after.millis() - collections.millis()));
        at.connector.remove(at.gauge);
        measures.put(Measure.CONNECTIONS_LEFT, (double) at.gauge.connections());
        long requests = at.gauge.requests();
        if (requests > 0) {
            measures.put(Measure.REQUEST_RECORDS, (double) topic.records() / requests);
        }
        return Runs.ok(entrant, round, measures, series);
    }

    private static Map<Measure, Double> ofTheWorkers(Deployment at) throws ToolException {
        WorkerProbe probe = at.station.probe();
        String name = at.connector.name();
        Map<Measure, Double> measures = new LinkedHashMap<>();
        measures.put(Measure.POLL_RECORDS, probe.pollRecords(name));
        measures.put(
                Measure.RETRIES,
                probe.retries(name)
                        + probe.pluginSum(name, "retries-transient-total")
                        + probe.pluginSum(name, "retries-rejected-total"));
        putIfKnown(measures, Measure.WRITE_P50, probe.pluginMax(name, "write-latency-ms-p50"));
        putIfKnown(measures, Measure.WRITE_P99, probe.pluginMax(name, "write-latency-ms-p99"));
        int workers = at.station.workers().size();
        if (workers > 1) {
            Map<String, Long> tasks = at.connector.tasksByWorker();
            measures.put(
                    Measure.TASKS_MOST,
                    tasks.values().stream().mapToDouble(Long::doubleValue).max().orElse(0));
            double fewest =
                    tasks.values().stream().mapToDouble(Long::doubleValue).min().orElse(0);
            measures.put(Measure.TASKS_FEWEST, tasks.size() < workers ? 0 : fewest);
        }
        return measures;
    }

    private static void putIfKnown(Map<Measure, Double> measures, Measure measure, double figure) {
        if (!Double.isNaN(figure)) {
            measures.put(measure, figure);
        }
    }

    /** Starts it without measuring it, to run beside another one. */
    public Background start(int round) throws ToolException {
        Deployment deployment = deploy(round + "-beside");
        Recorder recorder = new Recorder(bed, deployment.station::cpu, deployment.servers, Optional.empty());
        deployment.connector.create(entrant.config());
        return new Background(
                deployment.connector,
                deployment.gauge,
                new Drain(deployment.gauge, recorder, topic.records(), 0, deployment.connector::problem));
    }

    /** A connector that runs beside one that is measured. */
    public record Background(DeployedConnector connector, StoreProbe gauge, Drain drain) {
        public void remove() throws ToolException, InterruptedException {
            connector.remove(gauge);
        }
    }
}
