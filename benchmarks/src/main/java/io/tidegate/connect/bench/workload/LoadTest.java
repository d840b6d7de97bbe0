package io.tidegate.connect.bench.workload;

import io.tidegate.connect.bench.connector.ConnectorFolder;
import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.connector.OwnPlugin;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Sample;
import io.tidegate.connect.bench.store.MeasuredStore;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.bench.testbed.DeployedConnector;
import io.tidegate.connect.bench.testbed.FrameworkProbe;
import io.tidegate.connect.bench.testbed.Recorder;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.bench.testbed.WorkerGroup;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.PostgresQueries;
import io.tidegate.connect.lab.store.PostgresStore;
import io.tidegate.connect.lab.store.Store;
import io.tidegate.connect.lab.store.StoreProbe;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.process.Server;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Servers with a connector that waits for records, for benchmarks that generate their own load. Main thread only. */
public final class LoadTest implements AutoCloseable {
    /** A sink that does nothing. The records that it received count as stored. */
    public static final String NO_OP = "no-op";

    private static final String CONNECTOR = "bench-load";
    private static final String GROUP = "bench-load-workers";
    private static final Duration HTTP_TIMEOUT = Duration.ofSeconds(10);

    private final TestBed bed;
    private final boolean faultsExpected;
    private final DeployedConnector connector;
    private final Optional<Store> store;
    private final StoreProbe probe;
    private final Recorder recorder;
    private final CandidateInfo entrant;
    private final Path plugin;
    private final WorkerGroup group;
    private final Optional<CommitWatch> watch;
    private final List<ConnectWorker> added = new ArrayList<>();

    private LoadTest(TestBed bed, ConnectorSpec spec, WorkloadFile load, boolean faultsExpected) throws ToolException {
        this.bed = bed;
        this.faultsExpected = faultsExpected;
        bed.start();
        bed.broker().createTopic(Topic.NAME, load.partitions());
        store = bed.stores().stream().findFirst().map(MeasuredStore::store);
        if (store.isPresent()) {
            store.get().reset(spec.table(), spec.indexDefinition());
        }
        Optional<PostgresStore> postgres = bed.store(PostgresStore.class);
        if (postgres.isPresent()) {
            postgres.get().queries().execute(Latencies.COLUMN);
        }
        entrant = spec.entrant(Topic.NAME, load.tasks());
        plugin = spec.folder();
        watch = load.watchCommits() && postgres.isPresent()
                ? Optional.of(new CommitWatch(postgres.get().openSession()))
                : Optional.empty();
        if (watch.isPresent()) {
            bed.addEnvironment(Map.of("JAVA_TOOL_OPTIONS", "-Xlog:gc:stdout:time"));
        }
        group = bed.group(List.of(plugin), List.of(bed.worker(GROUP, plugin)));
        if (watch.isPresent()) {
            logOffsetCommits();
        }
        connector = new DeployedConnector(group.rest(), CONNECTOR);
        connector.create(entrant.config());
        connector.awaitRunning(entrant.tasks());
        probe = store.<StoreProbe>map(one -> one)
                .orElseGet(() -> new FrameworkProbe(group.metrics(), CONNECTOR, Optional.empty()));
        List<Server> servers = store.map(Store::servers).orElse(List.of());
        recorder = new Recorder(bed, group::cpu, servers, Optional.of(group.metrics()));
    }

    /** Starts the servers and the connector; returns when its tasks run. */
    public static LoadTest open(ConnectorSpec spec, WorkloadFile load) throws ToolException {
        return open(spec, load, bed -> {}, false);
    }

    /**
     * Starts the same with a synchronous standby of PostgreSQL. While a server is down, a sample repeats the last one.
     */
    public static LoadTest openForFaults(Path root, WorkloadFile load) throws ToolException, InterruptedException {
        return open(
                spec(root, load.config()),
                load,
                bed -> bed.store(PostgresStore.class).orElseThrow().addStandby(),
                true);
    }

    /**
     * Reads a connector.
     *
     * @param config as for {@code --config}, or {@link #NO_OP}
     */
    public static ConnectorSpec spec(Path root, String config) throws ToolException, InterruptedException {
        if (config.equals(NO_OP)) {
            return OwnPlugin.noOpSink(root);
        }
        ConnectorSpec spec = new ConnectorFolder(root, "sinks").read(config, Optional.empty());
        if (spec.store() == StoreKind.NONE) {
            throw new ToolException(spec.name() + " refers to no store");
        }
        return spec;
    }

    private static LoadTest open(
            ConnectorSpec spec, WorkloadFile load, Consumer<TestBed> beforeStart, boolean faultsExpected)
            throws ToolException {
        TestBed bed = new TestBed(EnumSet.of(spec.store()), load.workerHeap(), 1);
        boolean open = false;
        try {
            beforeStart.accept(bed);
            LoadTest test = new LoadTest(bed, spec, load, faultsExpected);
            open = true;
            return test;
        } finally {
            if (!open) {
                bed.close();
            }
        }
    }

    /** Kills the primary and promotes the standby; returns when the standby accepts writes. */
    public void failOver() {
        bed.store(PostgresStore.class).orElseThrow().failOver();
    }

    /** Restarts the broker; returns when it is available. */
    public void restartBroker() {
        bed.broker().restart();
    }

    /** Adds a worker to the connector's cluster; returns when it has joined. */
    public void addWorker() {
        added.add(bed.worker(GROUP, plugin));
    }

    /** Stops the workers that were added. */
    public void removeWorkers() {
        added.forEach(ConnectWorker::stop);
    }

    public String topic() {
        return Topic.NAME;
    }

    public String bootstrapServers() {
        return bed.broker().bootstrapServers();
    }

    public CandidateInfo entrant() {
        return entrant;
    }

    /** The product and version of the store, if there is one, by its label in the results. */
    public Map<String, String> versions() throws ToolException {
        return bed.versions();
    }

    /** Seconds since the test was opened. */
    public double seconds() {
        return recorder.seconds();
    }

    /** Takes a sample. Its {@code stored} may be in a unit of the store. */
    public Sample sample() throws ToolException {
        try {
            recorder.take(recorder.seconds(), probe.progress(), probe.connections());
        } catch (ToolException e) {
            if (!faultsExpected) {
                throw e;
            }
            recorder.take(recorder.seconds(), last().map(Sample::stored).orElse(0L), 0);
            reopen();
        }
        Sample last = last().orElseThrow();
        return watch.isPresent()
                ? last.withoutServerCpu(
                        watch.get().cpuSeconds() + queries().orElseThrow().cpuSeconds())
                : last;
    }

    /** What observes the times at which records become visible, if the load asks for it. */
    Optional<CommitWatch> watch() {
        return watch;
    }

    /** Makes the framework log each commit of offsets, which asks the sink's {@code preCommit}. */
    private void logOffsetCommits() {
        for (ConnectWorker worker : group.members()) {
            URI logger = worker.restUri().resolve("/admin/loggers/org.apache.kafka.connect.runtime.WorkerSinkTask");
            String unused = Http.exchange(Http.plain(HTTP_TIMEOUT), "PUT", logger, Map.of(), "{\"level\":\"DEBUG\"}");
        }
    }

    /** The lines that all servers have logged, without the benchmark's own requests, and what is known of their WAL. */
    List<ServerLog.Line> logLines() throws ToolException {
        List<ServerLog.Line> lines =
                new ArrayList<>(new ServerLog("broker", bed.broker().log(), ZoneId.systemDefault()).lines());
        for (ConnectWorker worker : group.members()) {
            lines.addAll(new ServerLog("worker", worker.log(), ZoneId.systemDefault()).lines());
        }
        for (Server server : store.map(Store::servers).orElse(List.of())) {
            lines.addAll(new ServerLog("server", server.log(), ZoneOffset.UTC).lines());
        }
        watch.ifPresent(one -> lines.addAll(one.segments()));
        lines.removeIf(line -> line.text().endsWith("(org.apache.kafka.connect.runtime.rest.RestServer)"));
        return lines;
    }

    private Optional<Sample> last() {
        List<Sample> all = recorder.samples();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    private void reopen() {
        try {
            store.orElseThrow().open();
        } catch (ToolException e) {
            // It is still down; the next sample tries again.
        }
    }

    /** Counts the records in the store; without a store, the records that the sink received. */
    public long stored() throws ToolException {
        return probe.count();
    }

    /** The problem of the connector, if it has one. */
    public Optional<String> problem() {
        return connector.problem();
    }

    /** The benchmark's own session, if the store is PostgreSQL. */
    public Optional<PostgresQueries> queries() {
        return bed.store(PostgresStore.class).map(PostgresStore::queries);
    }

    @Override
    public void close() {
        try {
            if (watch.isPresent()) {
                watch.get().close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        bed.close();
    }
}
