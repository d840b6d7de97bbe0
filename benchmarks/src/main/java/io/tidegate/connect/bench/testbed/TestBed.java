package io.tidegate.connect.bench.testbed;

import io.tidegate.connect.bench.store.MeasuredStore;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.Store;
import io.tidegate.connect.lab.worker.WorkerMetrics;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.kafka.KafkaBroker;
import io.tidegate.connect.testkit.kafka.KeptBroker;
import io.tidegate.connect.testkit.process.Server;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The servers of a measurement: a broker, the stores, and a worker for each plugin, so that different plugins never
 * share a JVM. All servers run until the end; those that a run does not need are idle. Only the main thread uses it.
 */
public final class TestBed implements AutoCloseable {
    /** Tests of commands set it, because the commands make the servers. Their records are small. */
    private static final boolean KEPT = Boolean.getBoolean("testkit.kept");

    private static final int COMMIT_INTERVAL_MS = 5000;

    /** The largest request of the benchmark's own producers. */
    private static final String MAX_MESSAGE_BYTES = Integer.toString(16 << 20);

    private final Kafka broker;
    private final Map<StoreKind, MeasuredStore> stores = new LinkedHashMap<>();
    private final List<ConnectWorker> workers = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Map<List<Path>, WorkerGroup> groups = new LinkedHashMap<>();
    private final String workerHeap;
    private final int groupSize;

    /**
     * Makes the servers without starting them.
     *
     * @param groupSize the number of workers that share the connectors with the same plugins
     */
    public TestBed(Set<StoreKind> kinds, String workerHeap, int groupSize) {
        this.workerHeap = workerHeap;
        this.groupSize = groupSize;
        broker = KEPT
                ? new KeptBroker()
                : KafkaBroker.builder()
                        .heap("512m")
                        .property("message.max.bytes", MAX_MESSAGE_BYTES)
                        .build();
        for (StoreKind kind : kinds) {
            kind.make().ifPresent(made -> stores.put(kind, made));
        }
    }

    public void start() throws ToolException {
        broker.start();
        for (Store store : eachStore()) {
            store.servers().forEach(Server::start);
            store.open();
        }
    }

    public Kafka broker() {
        return broker;
    }

    /**
     * The store of that kind.
     *
     * @throws IllegalStateException if the measurement did not ask for it
     */
    public Store store(StoreKind kind) {
        return Optional.ofNullable(stores.get(kind))
                .orElseThrow(() -> new IllegalStateException("no " + kind))
                .store();
    }

    public List<MeasuredStore> stores() {
        return List.copyOf(stores.values());
    }

    /** Product and version of each store, by its label in results. */
    public Map<String, String> versions() throws ToolException {
        Map<String, String> versions = new LinkedHashMap<>();
        for (MeasuredStore measured : stores.values()) {
            versions.put(measured.kind().label(), measured.store().version());
        }
        return versions;
    }

    /** The store of that class, if the measurement asked for one. */
    public <S extends Store> Optional<S> store(Class<S> type) {
        return eachStore().stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    private List<Store> eachStore() {
        return stores.values().stream().map(MeasuredStore::store).toList();
    }

    /** Adds variables to the environment of workers that start later. */
    public void addEnvironment(Map<String, String> variables) {
        environment.putAll(variables);
    }

    /** The workers with only these plugins. They start when they are first requested. */
    public WorkerGroup group(List<Path> plugins) throws ToolException {
        if (groups.containsKey(plugins)) {
            return groups.get(plugins);
        }
        String name = "bench-" + groups.size();
        List<ConnectWorker> members = new ArrayList<>();
        while (members.size() < groupSize) {
            members.add(worker(name, plugins.toArray(Path[]::new)));
        }
        WorkerGroup group = new WorkerGroup(
                members,
                new WorkerMetrics(members.stream().map(ConnectWorker::jmxUrl).toList()));
        groups.put(plugins, group);
        return group;
    }

    /** Starts a worker as a member of the group. */
    private ConnectWorker worker(String group, Path... pluginPaths) {
        ConnectWorker.Builder builder = ConnectWorker.builder()
                .bootstrapServers(broker.bootstrapServers())
                .groupId(group)
                .heap(workerHeap)
                .jmx()
                .property("offset.flush.interval.ms", Integer.toString(COMMIT_INTERVAL_MS))
                .pluginPath(pluginPaths);
        environment.forEach(builder::environment);
        eachStore().forEach(store -> store.environment().forEach(builder::environment));
        ConnectWorker worker = builder.build();
        workers.add(worker);
        worker.start();
        return worker;
    }

    /** CPU seconds of all servers and of this JVM so far. */
    double ownCpu() {
        List<Server> servers = new ArrayList<>(List.of(broker));
        eachStore().forEach(store -> servers.addAll(store.servers()));
        servers.addAll(workers);
        return CpuTime.own() + servers.stream().mapToDouble(TestBed::cpu).sum();
    }

    public static double cpu(Server server) {
        return server.cpuTime().toMillis() / 1e3;
    }

    public static double cpu(List<? extends Server> servers) {
        return servers.stream().mapToDouble(TestBed::cpu).sum();
    }

    @Override
    public void close() {
        groups.values().forEach(group -> group.metrics().close());
        workers.forEach(ConnectWorker::close);
        eachStore().forEach(Store::close);
        broker.close();
    }
}
