package io.tidegate.connect.bench.sink;

import io.tidegate.connect.bench.BenchException;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.testkit.ConnectRest;
import io.tidegate.connect.testkit.ConnectRest.ConnectorStatus;
import io.tidegate.connect.testkit.Server;
import io.tidegate.connect.testkit.ServerException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A sink connector with a number of tasks. Each run has a connector of its own, and with it a consumer group. */
final class ConnectorContestant implements Contestant {
    static final String CONNECTOR = "connector";
    static final String FLOOR = "floor";
    private static final Duration GONE = Duration.ofSeconds(30);
    private static final int ERROR_LINES = 4;

    private final Bed bed;
    private final Topic topic;
    private final Subject subject;
    private final Entrant entrant;
    private final Path plugin;
    private final Evidence evidence;
    private double progressPerRecord;

    ConnectorContestant(Bed bed, Topic topic, Subject subject, int tasks, Evidence evidence) {
        this.bed = bed;
        this.evidence = evidence;
        this.topic = topic;
        this.subject = subject;
        plugin = subject.plugin().orElseThrow(() -> new IllegalArgumentException(subject.name() + " has no plugin"));
        Map<String, String> config = new LinkedHashMap<>(subject.config());
        config.put("topics", topic.name());
        config.put("tasks.max", Integer.toString(tasks));
        config.putIfAbsent("consumer.override.auto.offset.reset", "earliest");
        entrant = new Entrant(
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
    public Run run(int round) throws BenchException, InterruptedException {
        Bed.Station station = bed.station(plugin);
        String name = "bench-" + Integer.toHexString(entrant.label().hashCode()) + "-" + round;
        Optional<Store> store =
                subject.store() == StoreKind.NONE ? Optional.empty() : Optional.of(bed.store(subject.store()));
        if (store.isPresent()) {
            store.get().reset(subject);
        }
        Gauge gauge = store.<Gauge>map(found -> found).orElseGet(() -> new FloorGauge(station.probe(), name));
        Run run = outcome(round, station, name, gauge, store.map(Store::servers).orElse(List.of()));
        remove(station.worker().rest(), name, gauge);
        return run;
    }

    private Run outcome(int round, Bed.Station station, String name, Gauge gauge, List<Server> servers)
            throws BenchException, InterruptedException {
        try {
            return measured(round, station, name, gauge, servers);
        } catch (ServerException e) {
            if (Thread.interrupted()) {
                throw (InterruptedException) new InterruptedException().initCause(e);
            }
            return Runs.failed(entrant, round, e.getMessage());
        } catch (RunFailure e) {
            evidence.keep(name, station);
            return Runs.failed(entrant, round, e.getMessage());
        }
    }

    private Run measured(int round, Bed.Station station, String name, Gauge gauge, List<Server> servers)
            throws RunFailure, BenchException, InterruptedException {
        WorkerProbe probe = station.probe();
        WorkerProbe.Collections collections = probe.collections();
        Recorder recorder = new Recorder(bed, () -> Bed.cpu(station.worker()), servers, Optional.of(probe));
        ConnectRest rest = station.worker().rest();
        rest.putConfig(name, entrant.config());
        new Drain(gauge, recorder, topic.records(), progressPerRecord, () -> problem(rest, name)).untilAllIsStored();
        Series series = Series.of(recorder.samples(), topic.records());
        progressPerRecord =
                (double) recorder.samples().get(recorder.samples().size() - 1).stored() / topic.records();
        Map<Measure, Double> measures = series.measures(topic.records(), topic.bytes());
        measures.put(Measure.POLL_RECORDS, probe.pollRecords(name));
        measures.put(
                Measure.RETRIES,
                probe.retries(name)
                        + probe.pluginSum(name, "retries-transient-total")
                        + probe.pluginSum(name, "retries-rejected-total"));
        putIfKnown(measures, Measure.WRITE_P50, probe.pluginMax(name, "write-latency-ms-p50"));
        putIfKnown(measures, Measure.WRITE_P99, probe.pluginMax(name, "write-latency-ms-p99"));
        WorkerProbe.Collections after = probe.collections();
        measures.put(Measure.GC_COUNT, (double) (after.count() - collections.count()));
        measures.put(Measure.GC_MILLIS, (double) (after.millis() - collections.millis()));
        remove(rest, name, gauge);
        measures.put(Measure.CONNECTIONS_LEFT, (double) gauge.connections());
        long requests = gauge.requests();
        if (requests > 0) {
            measures.put(Measure.REQUEST_RECORDS, (double) topic.records() / requests);
        }
        return Runs.ok(entrant, round, measures, series);
    }

    private static void putIfKnown(Map<Measure, Double> measures, Measure measure, double figure) {
        if (!Double.isNaN(figure)) {
            measures.put(measure, figure);
        }
    }

    private static Optional<String> problem(ConnectRest rest, String name) {
        return rest.statusIfKnown(name).flatMap(ConnectorStatus::failure).map(ConnectorContestant::reason);
    }

    /** The exceptions' own lines of a stack trace. */
    static String reason(String trace) {
        return trace.lines()
                .filter(line -> !line.matches("\\s+(at |\\.\\.\\. ).*"))
                .map(String::strip)
                .limit(ERROR_LINES)
                .collect(Collectors.joining("\n  "));
    }

    private static void remove(ConnectRest rest, String name, Gauge gauge) throws BenchException, InterruptedException {
        if (!rest.list().contains(name)) {
            return;
        }
        rest.delete(name);
        CountDownLatch never = new CountDownLatch(1);
        long end = System.nanoTime() + GONE.toNanos();
        while ((rest.list().contains(name) || gauge.connections() > 0) && System.nanoTime() < end) {
            never.await(Drain.LOOK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
