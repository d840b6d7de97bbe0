package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.http.conn.DnsResolver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of the nodes' host names. The connection pool asks for them under the lock that all requests and
 * metrics need. Therefore each name is looked up before, on a thread of its own. Any thread.
 */
final class NodeAddresses implements DnsResolver {
    private static final Logger log = LoggerFactory.getLogger(NodeAddresses.class);

    /** How long addresses are used before the next lookup; the JVM and the resolver have caches too. */
    static final Duration FRESH = Duration.ofSeconds(10);

    /** How long a request waits for further names once one has addresses: that node may be the one that is down. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final Lookup lookup;
    private final Executor threads;
    private final LongSupplier nanoTime;
    private final Map<String, Name> names;
    private final CompletableFuture<Void> firstFound = new CompletableFuture<>();
    private final CompletableFuture<Void> enoughFound; // some time after the first

    /** Asks the system's resolver, which may take long. */
    @FunctionalInterface
    interface Lookup {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /**
     * Looks up nothing yet.
     *
     * @param threads run a lookup each
     */
    NodeAddresses(List<String> hosts, Lookup lookup, Executor threads, LongSupplier nanoTime) {
        this.lookup = requireNonNull(lookup, "lookup");
        this.threads = requireNonNull(threads, "threads");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime");
        this.names = hosts.stream().distinct().collect(Collectors.toMap(Function.identity(), Name::new));
        // Requests that waited are sent by the thread that completes this, so it is one of these, too.
        this.enoughFound = firstFound.thenRunAsync(
                () -> {}, CompletableFuture.delayedExecutor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS, threads));
    }

    /**
     * Has unknown and old addresses looked up. Complete once all lookups have ended, or soon after one name has addresses.
     */
    CompletableFuture<?> refreshed() {
        CompletableFuture<?>[] lookups =
                names.values().stream().map(Name::refreshed).toArray(CompletableFuture[]::new);
        return enoughFound.isDone()
                ? enoughFound
                : CompletableFuture.anyOf(enoughFound, CompletableFuture.allOf(lookups));
    }

    /** Never waits. The address to use comes first; the next call starts with the next one. */
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        Name name = names.get(host);
        if (name == null) {
            throw new UnknownHostException(host + " is none of the nodes");
        }
        return name.next();
    }

    /** Whether a node can be reached; a proxy looks names up itself. Never waits. */
    boolean areKnown(String host) {
        Name name = names.get(host);
        return name == null || name.addresses.length > 0;
    }

    private final class Name {
        private final String host;
        private final AtomicInteger turn = new AtomicInteger();
        private CompletableFuture<Void> latest = CompletableFuture.completedFuture(null); // guarded by this
        private volatile InetAddress[] addresses = {}; // written by the latest lookup
        private volatile Optional<Long> lookedUp = Optional.empty(); // nanoTime; written by the latest lookup

        Name(String host) {
            this.host = host;
        }

        /** The lookup that is running, or is started because the last one is too long ago. */
        synchronized CompletableFuture<Void> refreshed() {
            boolean isFresh = lookedUp.isPresent() && nanoTime.getAsLong() - lookedUp.get() < FRESH.toNanos();
            if (latest.isDone() && !isFresh) {
                latest = CompletableFuture.runAsync(this::lookUp, threads);
            }
            return latest;
        }

        private void lookUp() {
            try {
                addresses = lookup.addresses(host);
                firstFound.complete(null);
            } catch (UnknownHostException e) {
                // Earlier addresses stay in use. Without any, requests go to the other nodes, or fail and say so.
                if (addresses.length == 0 && lookedUp.isEmpty()) {
                    log.warn("The name of the node {} cannot be resolved; it is looked up again", host);
                }
            } finally {
                lookedUp = Optional.of(nanoTime.getAsLong());
            }
        }

        InetAddress[] next() throws UnknownHostException {
            InetAddress[] known = addresses;
            if (known.length == 0) {
                throw new UnknownHostException(host);
            }
            return new InetAddress[] {known[Math.floorMod(turn.getAndIncrement(), known.length)]};
        }
    }
}
