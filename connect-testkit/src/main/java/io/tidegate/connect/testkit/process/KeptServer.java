package io.tidegate.connect.testkit.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A server that the test classes of this JVM use one after the other, because a start takes longer than most tests do.
 * {@link #close} empties the server and keeps it for the next class. A server that is not running, or that cannot be
 * emptied, is closed instead.
 *
 * @param <S> the kind of server
 */
public abstract class KeptServer<S extends Server> implements Server {
    private final Kept<S> kept;
    private Optional<S> server = Optional.empty();

    /** Nothing is started. */
    protected KeptServer(Kept<S> kept) {
        this.kept = Objects.requireNonNull(kept, "kept");
    }

    /**
     * The servers of one kind that nobody uses at the moment. They end with the JVM. Thread-safe.
     *
     * @param <S> the kind of server
     */
    public static final class Kept<S extends Server> {
        private final Supplier<S> make;
        private final Deque<S> unused = new ArrayDeque<>();

        /** @param make a server that is not started */
        public Kept(Supplier<S> make) {
            this.make = Objects.requireNonNull(make, "make");
            JvmEnd.beforeServersEnd(this::close);
        }

        private synchronized S take() {
            return unused.isEmpty() ? make.get() : unused.pop();
        }

        private synchronized void keep(S server) {
            unused.push(server);
        }

        private synchronized void close() {
            unused.forEach(Server::close);
            unused.clear();
        }
    }

    /**
     * Removes what tests have left in a running server.
     *
     * @throws ServerException if something stays
     */
    protected abstract void empty(S used);

    /** The server, the same until {@link #close} keeps it. */
    protected final synchronized S server() {
        if (server.isEmpty()) {
            server = Optional.of(kept.take());
        }
        return server.get();
    }

    @Override
    public final void start() {
        server().start();
    }

    @Override
    public final void stop() {
        server().stop();
    }

    @Override
    public final void kill() {
        server().kill();
    }

    @Override
    public final void pause() {
        server().pause();
    }

    @Override
    public final void resume() {
        server().resume();
    }

    @Override
    public final boolean isRunning() {
        return server().isRunning();
    }

    @Override
    public final long pid() {
        return server().pid();
    }

    @Override
    public final Duration cpuTime() {
        return server().cpuTime();
    }

    @Override
    public final Path log() {
        return server().log();
    }

    @Override
    public final synchronized void close() {
        if (server.isEmpty()) {
            return;
        }
        S used = server.get();
        if (used.isRunning() && isEmptied(used)) {
            server = Optional.empty();
            kept.keep(used);
        } else {
            used.close();
        }
    }

    private boolean isEmptied(S used) {
        try {
            empty(used);
            return true;
        } catch (ServerException e) {
            System.err.println(used + " is closed, because it cannot be emptied: " + e.getMessage());
            return false;
        }
    }

    @Override
    public final String toString() {
        return server().toString();
    }
}
