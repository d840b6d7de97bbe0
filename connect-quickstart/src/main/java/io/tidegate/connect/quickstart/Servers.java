package io.tidegate.connect.quickstart;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.quickstart.view.Sink;
import io.tidegate.connect.quickstart.view.View;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.KafkaBroker;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.testkit.process.ServerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The servers of one run. The worker starts last, because its environment has the others' addresses. */
final class Servers implements AutoCloseable {
    private static final String HEAP = "512m";
    private static final Duration CLOSE = Duration.ofSeconds(60);

    private final List<TideStore> stores;
    private final KafkaBroker broker = KafkaBroker.builder().heap(HEAP).build();
    private final List<ConnectWorker> worker = new ArrayList<>(1);

    Servers(List<TideStore> stores) {
        this.stores = List.copyOf(stores);
    }

    void start(Layout layout, View view) throws ToolException, InterruptedException {
        ConnectWorker.Builder builder = ConnectWorker.builder().heap(HEAP).property("offset.flush.interval.ms", "1000");
        builder.pluginPath(layout.pluginPath());
        if (view.showsDetails()) {
            builder.jmx();
        }
        start(
                Stream.concat(Stream.<Server>of(broker), stores.stream().map(TideStore::server))
                        .toList(),
                view);
        for (TideStore store : stores) {
            store.prepare();
            store.environment().forEach(builder::environment);
        }
        worker.add(builder.bootstrapServers(broker.bootstrapServers()).build());
        start(worker, view);
    }

    /** Starts servers at the same time and prints how long each took. */
    static void start(List<? extends Server> servers, View view) throws ToolException, InterruptedException {
        inParallel(servers.stream().map(server -> started(server, view)).toList());
    }

    private static Callable<Void> started(Server server, View view) {
        return () -> {
            long start = System.nanoTime();
            server.start();
            view.say(String.format(Locale.ROOT, "  %5.1f s  %s", (System.nanoTime() - start) / 1e9, server));
            return null;
        };
    }

    /** Returns when all starts have ended, so that no server is started while it is being closed. */
    private static void inParallel(List<Callable<Void>> starts) throws ToolException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(starts.size());
        try {
            for (Future<Void> start : threads.invokeAll(starts)) {
                start.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ServerException failure) {
                throw new ToolException(failure.getMessage(), failure);
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
            threads.awaitTermination(CLOSE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    List<TideStore> stores() {
        return stores;
    }

    KafkaBroker broker() {
        return broker;
    }

    ConnectWorker worker() {
        return worker.get(0);
    }

    /** The CPU time of each server and of this program so far. */
    Map<String, Duration> cpuTimes() {
        Map<String, Duration> times = new LinkedHashMap<>();
        times.put("broker", broker.cpuTime());
        times.put("worker", worker().cpuTime());
        stores.forEach(store -> times.put(
                store.sink() == Sink.JSONB ? "postgresql" : "elasticsearch",
                store.server().cpuTime()));
        times.put(
                "this program",
                ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
        return times;
    }

    @Override
    public void close() {
        worker.forEach(Server::close);
        stores.forEach(tides -> tides.store().close());
        broker.close();
    }
}
