package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.http.conn.DnsResolver;

/**
 * The addresses of the nodes' host names. The connection pool asks for them under the lock that all requests and
 * metrics need. Therefore the thread that sends looks them up before. Any thread.
 */
final class NodeAddresses implements DnsResolver {
    /** How long addresses are used before the next lookup; the JVM and the resolver have caches too. */
    static final Duration FRESH = Duration.ofSeconds(10);

    private final LongSupplier nanoTime;
    private final Map<String, Name> names;

    /** Asks the system's resolver, which may take long. */
    @FunctionalInterface
    interface Lookup {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    NodeAddresses(List<String> hosts, Lookup lookup, LongSupplier nanoTime) {
        this.nanoTime = requireNonNull(nanoTime, "nanoTime");
        this.names = hosts.stream()
                .distinct()
                .collect(Collectors.toMap(Function.identity(), host -> new Name(host, lookup)));
    }

    /**
     * Looks up unknown and old addresses. For each name only one thread does so. Other threads wait for it only if the
     * name has no address yet.
     */
    void refresh() {
        names.values().forEach(name -> name.refresh(nanoTime.getAsLong()));
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

    private static final class Name {
        private final String host;
        private final Lookup lookup;
        private final ReentrantLock looking = new ReentrantLock();
        private final AtomicInteger turn = new AtomicInteger();
        private volatile InetAddress[] addresses = {}; // written under looking
        private volatile Optional<Long> lookedUp = Optional.empty(); // nanoTime; written under looking

        Name(String host, Lookup lookup) {
            this.host = host;
            this.lookup = requireNonNull(lookup, "lookup");
        }

        private boolean isFresh(long now) {
            return lookedUp.isPresent() && now - lookedUp.get() < FRESH.toNanos();
        }

        void refresh(long now) {
            if (isFresh(now)) {
                return;
            }
            if (addresses.length == 0) {
                looking.lock();
            } else if (!looking.tryLock()) {
                return;
            }
            try {
                if (!isFresh(now)) {
                    addresses = lookup.addresses(host);
                }
            } catch (UnknownHostException e) {
                // Earlier addresses stay in use. Without any, the request fails and says so.
            } finally {
                lookedUp = Optional.of(now);
                looking.unlock();
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
