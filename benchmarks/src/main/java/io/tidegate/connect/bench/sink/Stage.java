package io.tidegate.connect.bench.sink;

import io.tidegate.connect.bench.BenchException;
import io.tidegate.connect.bench.plugin.GeneratorSourceConnector;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Sample;
import io.tidegate.connect.testkit.ConnectRest.ConnectorStatus;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Servers with one connector that runs and waits for records, for benchmarks that make their own load. The main thread only. */
public final class Stage implements AutoCloseable {
    private static final String CONNECTOR = "bench-load";
    private static final Duration START = Duration.ofSeconds(60);

    private final Bed bed;
    private final Bed.Station station;
    private final Store store;
    private final Recorder recorder;
    private final Entrant entrant;

    private Stage(Bed bed, Subject subject, Store store, Entrant entrant) throws BenchException {
        this.bed = bed;
        this.store = store;
        this.entrant = entrant;
        station = bed.station(subject.plugin().orElseThrow());
        station.worker().rest().putConfig(CONNECTOR, entrant.config());
        station.worker().rest().awaitRunning(CONNECTOR, entrant.tasks(), START);
        recorder = new Recorder(bed, () -> Bed.cpu(station.worker()), store.servers(), Optional.of(station.probe()));
    }

    /**
     * Starts everything; returns when the connector's tasks run.
     *
     * @param config as for {@code --config}
     * @param prepare what PostgreSQL executes after the table is made
     */
    public static Stage open(
            Path root, String config, int tasks, int partitions, String workerHeap, List<String> prepare)
            throws BenchException, InterruptedException {
        Subject subject = new SubjectFolder(root, "sinks").read(config, Optional.empty());
        if (subject.store() == StoreKind.NONE) {
            throw new BenchException(subject.name() + " refers to no store");
        }
        Set<StoreKind> kinds = EnumSet.of(subject.store());
        Bed bed = new Bed(kinds, workerHeap, Map.of());
        boolean open = false;
        try {
            bed.start();
            bed.broker().createTopic(Topic.NAME, partitions);
            Store store = bed.store(subject.store());
            store.reset(subject);
            if (store instanceof PostgresStore postgres) {
                postgres.prepare(prepare);
            }
            Stage stage = new Stage(bed, subject, store, entrant(subject, tasks));
            open = true;
            return stage;
        } finally {
            if (!open) {
                bed.close();
            }
        }
    }

    private static Entrant entrant(Subject subject, int tasks) {
        Map<String, String> config = new LinkedHashMap<>(subject.config());
        config.put("topics", Topic.NAME);
        config.put("tasks.max", Integer.toString(tasks));
        config.putIfAbsent("consumer.override.auto.offset.reset", "earliest");
        String label = subject.name() + ", " + tasks + (tasks == 1 ? " task" : " tasks");
        return new Entrant(label, ConnectorContestant.CONNECTOR, subject.store().label(), tasks, config);
    }

    public String topic() {
        return Topic.NAME;
    }

    public String bootstrapServers() {
        return bed.broker().bootstrapServers();
    }

    public Entrant entrant() {
        return entrant;
    }

    /** Product and version of the store. */
    public String storeVersion() throws BenchException {
        return store.version();
    }

    /**
     * Starts the generator's connector on a worker of its own; returns when its tasks run.
     *
     * @param config beside class, name and number of tasks
     */
    public RunningGenerator generate(Map<String, String> config, int tasks) throws BenchException {
        Map<String, String> whole = new LinkedHashMap<>(config);
        whole.put("connector.class", GeneratorSourceConnector.class.getName());
        whole.put("tasks.max", Integer.toString(tasks));
        Bed.Station own = bed.station(OwnPlugin.folder());
        own.worker().rest().putConfig(RunningGenerator.CONNECTOR, whole);
        own.worker().rest().awaitRunning(RunningGenerator.CONNECTOR, tasks, START);
        return new RunningGenerator(own, tasks);
    }

    /** Seconds since the stage was opened. */
    public double seconds() {
        return recorder.seconds();
    }

    /** A look; {@code stored} may be in a unit of the store's own. */
    public Sample look() throws BenchException {
        recorder.take(recorder.seconds(), store.progress(), store.connections());
        List<Sample> all = recorder.samples();
        return all.get(all.size() - 1);
    }

    /** Records in the store, counted. */
    public long stored() throws BenchException {
        return store.count();
    }

    /** What is wrong with the connector, if anything is. */
    public Optional<String> problem() {
        return station.worker()
                .rest()
                .statusIfKnown(CONNECTOR)
                .flatMap(ConnectorStatus::failure)
                .map(ConnectorContestant::reason);
    }

    /** A connection of the caller's own, if the store is PostgreSQL. */
    public Optional<Connection> connect() throws SQLException {
        return store instanceof PostgresStore postgres ? Optional.of(postgres.connect()) : Optional.empty();
    }

    @Override
    public void close() {
        bed.close();
    }
}
