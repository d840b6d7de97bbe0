package io.tidegate.connect.common.pool;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resources of a worker that many tasks share, one for each key: connection pools, HTTP clients. The first lease opens
 * a resource and the last one to close closes it, even when tasks fail between. Any thread. A plugin's classes
 * are loaded once per worker, so a static instance of this class is worker-wide.
 *
 * @param <K> what makes two users share: server, credentials and everything else the resource depends on
 * @param <R> the resource; closing it must not block for long
 */
public final class SharedResource<K, R extends AutoCloseable> {
    private static final Logger log = LoggerFactory.getLogger(SharedResource.class);

    private final String kind;
    private final Map<K, Shared<K, R>> open = new HashMap<>(); // guarded by this

    /** Names the kind of resource in log lines. */
    public SharedResource(String kind) {
        this.kind = requireNonNull(kind, "kind");
    }

    /**
     * Joins the users of the resource with this key, opening it when there are none.
     *
     * @param opener must not reach for a server: it runs while other tasks wait. What it throws reaches the caller and
     *     leaves nothing behind
     */
    public synchronized Lease<R> lease(K key, Function<K, R> opener) {
        Shared<K, R> shared = open.get(key);
        if (shared == null) {
            shared = new Shared<>(key, opener.apply(key), new AtomicInteger());
            open.put(key, shared);
            log.info("Opened the {} for {}", kind, key);
        }
        shared.users.incrementAndGet();
        Shared<K, R> mine = shared;
        return new Lease<>(mine.resource, () -> leave(mine));
    }

    /** Resources that are open now. */
    public synchronized int openCount() {
        return open.size();
    }

    private void leave(Shared<K, R> shared) {
        synchronized (this) {
            if (shared.users.decrementAndGet() > 0) {
                return;
            }
            open.remove(shared.key);
        }
        try {
            shared.resource.close();
            log.info("Closed the {} for {}: no task uses it any more", kind, shared.key);
        } catch (Exception e) {
            log.warn("The {} for {} did not close cleanly", kind, shared.key, e);
        }
    }

    private record Shared<K, R>(K key, R resource, AtomicInteger users) {}

    /** A user's share in a resource. Closing it again does nothing. */
    public static final class Lease<R> implements AutoCloseable {
        private final R resource;
        private final AtomicReference<Runnable> leave;

        private Lease(R resource, Runnable leave) {
            this.resource = resource;
            this.leave = new AtomicReference<>(leave);
        }

        public R get() {
            return resource;
        }

        @Override
        public void close() {
            leave.getAndSet(() -> {}).run();
        }
    }
}
