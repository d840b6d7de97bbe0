package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.client.HostProbe.Role;
import io.tidegate.connect.jsonb.settings.ServerLogin;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.postgresql.util.HostSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the primary has moved while the old one does not answer. If a request is unanswered for a while, all
 * hosts of the URL are asked. If a host with an unanswered request is silent or no primary, and another host is the
 * primary, the connections to the first are cut and new ones are opened to the second. If another server, or one that
 * was restarted, is the primary at the same address, the connections to the former one are cut. A primary that answers
 * is only slow, and keeps its connections. The sockets' thread watches. The pool's thread opens sessions.
 */
final class PrimaryWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PrimaryWatch.class);

    /** How long a request may be unanswered before the hosts are asked. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The same if there is one host. The question costs a connection more than the pool has, and rarely helps. */
    private static final Duration PATIENCE_WITH_ONE = Duration.ofSeconds(5);

    private static final Duration LOOK = Duration.ofMillis(250);

    /**
     * How long two primaries must be seen before that is logged. During a promotion, one answer may be from before it
     * and one from after it.
     */
    private static final Duration SPLIT = Duration.ofSeconds(2);

    /** How long the probes keep their sessions once all requests are answered again. */
    private static final Duration REST = Duration.ofSeconds(10);

    private final WatchedSockets sockets;
    private final SeenServers seen;
    private final Consumer<String> evictAll;
    private final Map<HostSpec, HostProbe> probes = new LinkedHashMap<>(); // in the URL's order
    private final ExecutorService asking = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "tidegate-primary-watch");
        thread.setDaemon(true);
        return thread;
    });
    private volatile Optional<HostSpec> primary = Optional.empty(); // empty until one is known
    private boolean isAsking; // only the sockets' thread uses this and the next three
    private long lastUnanswered; // nanoTime
    private long lastUnited; // nanoTime
    private boolean saidSplit;

    /**
     * Starts to watch.
     *
     * @param hosts of the URL
     * @param seen the servers of the pool's sessions
     * @param evictAll closes every connection of the pool, for the given reason; must not wait
     */
    PrimaryWatch(
            ServerLogin login,
            ProvidedPasswords passwords,
            List<HostSpec> hosts,
            WatchedSockets sockets,
            SeenServers seen,
            Consumer<String> evictAll) {
        this.seen = requireNonNull(seen, "seen");
        this.sockets = requireNonNull(sockets, "sockets");
        this.evictAll = requireNonNull(evictAll, "evictAll");
        hosts.forEach(host -> probes.put(asOfSocket(host), new HostProbe(login, passwords, host, asking)));
        sockets.lookEvery(LOOK, this::look);
    }

    /** A socket reports an address in brackets in its long form. */
    private static HostSpec asOfSocket(HostSpec host) {
        return host.getHost().startsWith("[")
                ? new HostSpec(new InetSocketAddress(host.getHost(), host.getPort()).getHostString(), host.getPort())
                : host;
    }

    /**
     * The hosts, with the primary first if it is known. An attempt at a host that hangs would use up the time of the
     * others.
     */
    List<HostSpec> inOrder() {
        Optional<HostProbe> first = primary.map(probes::get);
        return Stream.concat(first.stream(), probes.values().stream().filter(each -> first.filter(each::equals)
                        .isEmpty()))
                .map(HostProbe::host)
                .toList();
    }

    /** A session to this host was opened, so it takes writes. */
    void opened(HostSpec host) {
        if (probes.containsKey(host)) {
            primary = Optional.of(host);
        }
    }

    private void look() {
        Set<HostSpec> unanswered = sockets.unanswered(probes.size() == 1 ? PATIENCE_WITH_ONE : PATIENCE);
        if (unanswered.isEmpty()) {
            rest();
            return;
        }
        if (!isAsking) {
            isAsking = true;
            saidSplit = false;
            lastUnited = System.nanoTime();
        }
        lastUnanswered = System.nanoTime();
        probes.values().forEach(HostProbe::ask);
        unanswered.forEach(this::leaveFormerServer);
        List<HostProbe> primaries = probes.values().stream()
                .filter(probe -> probe.role() == Role.PRIMARY)
                .toList();
        saySplit(primaries);
        primaries.stream()
                .max(Comparator.comparing(HostProbe::timeline))
                .ifPresent(found -> probes.forEach((host, old) -> {
                    if (unanswered.contains(host)) {
                        follow(host, old, found);
                    }
                }));
    }

    /**
     * Gives up the connections of a host that another server has taken over. A server that the pool has seen before
     * takes over nothing: several servers may be behind one address, and the slower one keeps its connections.
     */
    private void leaveFormerServer(HostSpec host) {
        Optional.ofNullable(probes.get(host))
                .filter(probe -> probe.role() == Role.PRIMARY)
                .flatMap(HostProbe::identity)
                .ifPresent(server -> {
                    if (seen.answered(server, System.nanoTime())) {
                        evictAll.accept(host + " is another server than before, or was restarted");
                    }
                    if (seen.present().filter(server::equals).isPresent()) {
                        sockets.cutToFormer(host, server, seen.sight().changes());
                    }
                });
    }

    private void rest() {
        if (isAsking && System.nanoTime() - lastUnanswered > REST.toNanos()) {
            isAsking = false;
            probes.values().forEach(HostProbe::forget);
        }
    }

    private void follow(HostSpec host, HostProbe old, HostProbe found) {
        Role role = old.role();
        if (role == Role.SILENT || role == Role.NO_PRIMARY) {
            opened(asOfSocket(found.host()));
            evictAll.accept("%s %s, and %s is the primary"
                    .formatted(host, role == Role.SILENT ? "does not answer" : "is not the primary", found.host()));
            sockets.cutTo(host);
        }
    }

    /**
     * Logs that several hosts are primaries. Several hosts may lead to one server, as poolers do, but then they show
     * one timeline.
     */
    private void saySplit(List<HostProbe> primaries) {
        long timelines = primaries.stream()
                .map(HostProbe::timeline)
                .filter(each -> !each.isEmpty())
                .distinct()
                .count();
        long now = System.nanoTime();
        if (timelines <= 1) {
            lastUnited = now;
        } else if (!saidSplit && now - lastUnited > SPLIT.toNanos()) {
            saidSplit = true;
            log.warn(
                    "More than one host of connection.url takes writes: {}. Connections stay where they are; stop the one"
                            + " that is no longer the primary, because what is written there will be lost",
                    primaries.stream()
                            .map(each -> each.host() + " (timeline " + each.timeline() + ")")
                            .toList());
        }
    }

    /** The watch ends when the sockets are closed. */
    @Override
    public void close() {
        probes.values().forEach(HostProbe::close);
        asking.shutdown();
    }
}
