package io.tidegate.connect.bench.workload;

import io.tidegate.connect.bench.connector.ConnectorFolder;
import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.connector.OwnPlugin;
import io.tidegate.connect.bench.drain.ConnectorCandidate;
import io.tidegate.connect.bench.plugin.GeneratorSourceConnector;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Sample;
import io.tidegate.connect.bench.store.MeasuredStore;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.bench.testbed.DeployedConnector;
import io.tidegate.connect.bench.testbed.FrameworkProbe;
import io.tidegate.connect.bench.testbed.Recorder;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.tools.ToolException;
import io.tidegate.connect.tools.store.PostgresStore;
import io.tidegate.connect.tools.store.Store;
import io.tidegate.connect.tools.store.StoreProbe;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Servers with one connector that runs and waits for records, for benchmarks that make their own load. The main thread only. */
public final class LoadTest implements AutoCloseable {
    /** A sink that does nothing: what is stored is then what it was handed. */
    public static final String NO_OP = "no-op";

    private static final String CONNECTOR = "bench-load";
    private static final String GROUP = "bench-load-workers";

    private final TestBed bed;
    private final DeployedConnector connector;
    private final Optional<Store> store;
    private final StoreProbe gauge;
    private final Recorder recorder;
    private final Entrant entrant;
    private final Path plugin;
    private final List<ConnectWorker> more = new ArrayList<>();
    private boolean faultsExpected;

    private LoadTest(TestBed bed, ConnectorSpec subject, Optional<Store> store, Entrant entrant) throws ToolException {
        this.bed = bed;
        this.store = store;
        this.entrant = entrant;
        plugin = subject.folder();
        TestBed.Station station = bed.settle(plugin, List.of(bed.worker(GROUP, plugin)));
        connector = new DeployedConnector(station.rest(), CONNECTOR);
        connector.create(entrant.config());
        connector.awaitRunning(entrant.tasks());
        gauge = store.<StoreProbe>map(one -> one).orElseGet(() -> new FrameworkProbe(station.probe(), CONNECTOR));
        List<Server> servers = store.map(Store::servers).orElse(List.of());
        recorder = new Recorder(bed, station::cpu, servers, Optional.of(station.probe()));
    }

    /**
     * Starts everything; returns when the connector's tasks run.
     *
     * @param config as for {@code --config}, or {@link #NO_OP}
     * @param prepare what PostgreSQL executes after the table is made
     */
    public static LoadTest open(
            Path root, String config, int tasks, int partitions, String workerHeap, List<String> prepare)
            throws ToolException, InterruptedException {
        return open(subject(root, config), tasks, partitions, workerHeap, prepare, bed -> {});
    }

    /**
     * Likewise, for PostgreSQL alone, with a synchronous standby and for faults: a look at a server that is away finds
     * what the last one has found.
     */
    public static LoadTest openForFaults(
            Path root, String config, int tasks, int partitions, String workerHeap, List<String> prepare)
            throws ToolException, InterruptedException {
        LoadTest stage = open(
                subject(root, config), tasks, partitions, workerHeap, prepare, bed -> bed.store(PostgresStore.class)
                        .orElseThrow()
                        .addStandby());
        stage.faultsExpected = true;
        return stage;
    }

    private static ConnectorSpec subject(Path root, String config) throws ToolException, InterruptedException {
        if (config.equals(NO_OP)) {
            return OwnPlugin.noOpSink();
        }
        ConnectorSpec subject = new ConnectorFolder(root, "sinks").read(config, Optional.empty());
        if (subject.store() == StoreKind.NONE) {
            throw new ToolException(subject.name() + " refers to no store");
        }
        return subject;
    }

    private static LoadTest open(
            ConnectorSpec subject,
            int tasks,
            int partitions,
            String workerHeap,
            List<String> prepare,
            Consumer<TestBed> beforeStart)
            throws ToolException {
        TestBed bed = new TestBed(EnumSet.of(subject.store()), workerHeap, Map.of());
        boolean open = false;
        try {
            beforeStart.accept(bed);
            bed.start();
            bed.broker().createTopic(Topic.NAME, partitions);
            Optional<Store> store = bed.stores().stream().findFirst().map(MeasuredStore::store);
            if (store.isPresent()) {
                store.get().reset(subject.table(), subject.indexDefinition());
            }
            Optional<PostgresStore> postgres = bed.store(PostgresStore.class);
            if (postgres.isPresent()) {
                postgres.get().queries().execute(prepare.toArray(String[]::new));
            }
            LoadTest stage = new LoadTest(bed, subject, store, ConnectorCandidate.entrant(subject, Topic.NAME, tasks));
            open = true;
            return stage;
        } finally {
            if (!open) {
                bed.close();
            }
        }
    }

    /** Kills the primary and promotes the standby; returns when it takes writes. */
    public void failOver() {
        bed.store(PostgresStore.class).orElseThrow().failOver();
    }

    /** Stops the broker and starts it again; returns when it serves. */
    public void restartBroker() {
        bed.broker().restart();
    }

    /** Another worker joins the connector's; returns when it has. */
    public void addWorker() {
        more.add(bed.worker(GROUP, plugin));
    }

    /** The workers that were added leave. */
    public void removeWorkers() {
        more.forEach(ConnectWorker::stop);
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

    /** Product and version of the store, if there is one. */
    public Optional<String> storeVersion() throws ToolException {
        return store.isPresent() ? Optional.of(store.get().version()) : Optional.empty();
    }

    /**
     * Starts the generator's connector on a worker of its own; returns when its tasks run.
     *
     * @param config beside class, name and number of tasks
     */
    public RunningGenerator generate(Map<String, String> config, int tasks) throws ToolException {
        Map<String, String> whole = new LinkedHashMap<>(config);
        whole.put("connector.class", GeneratorSourceConnector.class.getName());
        whole.put("tasks.max", Integer.toString(tasks));
        TestBed.Station own = bed.station(OwnPlugin.folder());
        DeployedConnector generator = new DeployedConnector(own.rest(), RunningGenerator.CONNECTOR);
        generator.create(whole);
        generator.awaitRunning(tasks);
        return new RunningGenerator(own, tasks);
    }

    /** Seconds since the stage was opened. */
    public double seconds() {
        return recorder.seconds();
    }

    /** A look; {@code stored} may be in a unit of the store's own. */
    public Sample look() throws ToolException {
        try {
            recorder.take(recorder.seconds(), gauge.progress(), gauge.connections());
        } catch (ToolException e) {
            if (!faultsExpected) {
                throw e;
            }
            recorder.take(recorder.seconds(), last().map(Sample::stored).orElse(0L), 0);
            reopen();
        }
        return last().orElseThrow();
    }

    private Optional<Sample> last() {
        List<Sample> all = recorder.samples();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    private void reopen() {
        try {
            store.orElseThrow().open();
        } catch (ToolException e) {
            // It is still away; the next look tries again.
        }
    }

    /** Records in the store, counted; without a store those that the sink was handed. */
    public long stored() throws ToolException {
        return gauge.count();
    }

    /** What is wrong with the connector, if anything is. */
    public Optional<String> problem() {
        return connector.problem();
    }

    /** A connection of the caller's own, if the store is PostgreSQL. */
    public Optional<Connection> connect() throws SQLException {
        Optional<PostgresStore> postgres = bed.store(PostgresStore.class);
        return postgres.isPresent() ? Optional.of(postgres.get().connect()) : Optional.empty();
    }

    @Override
    public void close() {
        bed.close();
    }
}
