package io.tidegate.connect.check.run;

import io.tidegate.connect.check.oracle.AvroValues;
import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.KafkaBroker;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.testkit.registry.ApicurioRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** The servers that all cases share. They are started once. Thread-safe after {@link #start}. */
public final class Lab implements AutoCloseable {
    private static final int WORKERS = 2;

    private final KafkaBroker broker = KafkaBroker.builder().fastStart().build();
    private final ApicurioRegistry registry = ApicurioRegistry.create();
    private final Map<String, StoreAccess> stores = new ConcurrentHashMap<>();
    private final List<ConnectWorker> workers = new ArrayList<>();
    private final List<Path> plugins;
    private final Object oneAtATime = new Object();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private volatile Optional<String> present = Optional.empty();
    private KafkaAccess kafka;
    private int schemaId;

    /** @param plugins folders of plugins for the workers */
    public Lab(List<Path> plugins, List<StoreAccess> stores) {
        this.plugins = List.copyOf(plugins);
        stores.forEach(store -> this.stores.put(store.kind(), store));
    }

    /** Starts everything, in about half a minute. */
    public void start() {
        List<Server> first = new ArrayList<>(List.of(broker, registry));
        stores.values().forEach(store -> first.add(store.server()));
        startAll(first);
        for (int i = 0; i < WORKERS; i++) {
            workers.add(ConnectWorker.builder()
                    .fastStart()
                    .heap("512m")
                    .bootstrapServers(broker.bootstrapServers())
                    .pluginPath(plugins.toArray(Path[]::new))
                    .property("offset.flush.interval.ms", "300")
                    .property("scheduled.rebalance.max.delay.ms", "500")
                    .property("consumer.metadata.max.age.ms", "1000")
                    .property("connector.client.config.override.policy", "All")
                    .build());
        }
        startAll(workers);
        kafka = new KafkaAccess(broker);
        schemaId = Math.toIntExact(registry.register("reading", "AVRO", AvroValues.SCHEMA));
        stores.values().forEach(StoreAccess::open);
    }

    private static void startAll(List<? extends Server> servers) {
        List<CompletableFuture<Void>> starts = servers.stream()
                .map(server -> CompletableFuture.runAsync(server::start))
                .toList();
        starts.forEach(CompletableFuture::join);
    }

    public KafkaAccess kafka() {
        return kafka;
    }

    public KafkaBroker broker() {
        return broker;
    }

    public ApicurioRegistry registry() {
        return registry;
    }

    public List<ConnectWorker> workers() {
        return workers;
    }

    /** The kinds of stores that run. */
    public Set<String> kinds() {
        return stores.keySet();
    }

    public StoreAccess store(String kind) {
        return stores.get(kind);
    }

    /** Does what all cases feel, such as killing a server. One at a time. */
    public void alone(String name, Runnable fault) {
        synchronized (oneAtATime) {
            faults.add(name); // cases that run feel it from now on
            present = Optional.of(name);
            try {
                fault.run();
            } finally {
                faults.add(name); // those that began meanwhile have felt it, too
                present = Optional.empty();
            }
        }
    }

    /** How many faults began or ended so far. */
    int faults() {
        return faults.size();
    }

    /** The names of what all cases have felt since there were so many {@link #faults}, also of what they feel now. */
    List<String> felt(int since) {
        Stream<String> now = present.stream(); // asked before the others, which have it when it ends
        List<String> all = List.copyOf(faults);
        return Stream.concat(all.subList(since, all.size()).stream(), now)
                .distinct()
                .toList();
    }

    int schemaId() {
        return schemaId;
    }

    /** A client of a worker that runs. */
    public ConnectRest rest() {
        return workers.stream()
                .filter(Server::isRunning)
                .findFirst()
                .orElseGet(() -> workers.get(0))
                .rest();
    }

    @Override
    public void close() {
        if (kafka != null) {
            kafka.close();
        }
        workers.forEach(Server::close);
        stores.values().forEach(StoreAccess::close);
        registry.close();
        broker.close();
    }
}
