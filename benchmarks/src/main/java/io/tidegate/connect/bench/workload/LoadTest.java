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
import io.tidegate.connect.testkit.process.Server;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Servers with a connector that waits for records, for benchmarks that generate their own load. Main thread only. */
public final class LoadTest implements AutoCloseable {
    /** A sink that does nothing. The records that it received count as stored. */
    public static final String NO_OP = "no-op";

    private static final String CONNECTOR = "bench-load";

    private final TestBed bed;
    private final DeployedConnector connector;
    private final StoreProbe probe;
    private final Recorder recorder;
    private final CandidateInfo entrant;
    private final Optional<CommitWatch> watch;

    private LoadTest(TestBed bed, ConnectorSpec spec, WorkloadFile load) throws ToolException {
        this.bed = bed;
        bed.start();
        bed.broker().createTopic(Topic.NAME, load.partitions());
        Optional<Store> store = bed.stores().stream().findFirst().map(MeasuredStore::store);
        if (store.isPresent()) {
            store.get().reset(spec.table(), spec.indexDefinition());
        }
        Optional<PostgresStore> postgres = bed.store(PostgresStore.class);
        if (postgres.isPresent() && !load.watchCommits()) {
            postgres.get().queries().execute(Latencies.COLUMN);
        }
        entrant = spec.entrant(Topic.NAME, load.tasks());
        watch = load.watchCommits() && postgres.isPresent()
                ? Optional.of(new CommitWatch(postgres.get().openSession()))
                : Optional.empty();
        WorkerGroup group = bed.group(List.of(spec.folder()));
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
        TestBed bed = new TestBed(EnumSet.of(spec.store()), load.workerHeap(), 1);
        boolean open = false;
        try {
            LoadTest test = new LoadTest(bed, spec, load);
            open = true;
            return test;
        } finally {
            if (!open) {
                bed.close();
            }
        }
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
        recorder.take(recorder.seconds(), probe.progress(), probe.connections());
        List<Sample> all = recorder.samples();
        Sample last = all.get(all.size() - 1);
        return watch.isPresent()
                ? last.withoutServerCpu(
                        watch.get().cpuSeconds() + queries().orElseThrow().cpuSeconds())
                : last;
    }

    /** What observes the times at which records become visible, if the load asks for it. */
    Optional<CommitWatch> watch() {
        return watch;
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
        watch.ifPresent(CommitWatch::close);
        bed.close();
    }
}
