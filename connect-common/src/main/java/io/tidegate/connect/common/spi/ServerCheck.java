package io.tidegate.connect.common.spi;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.Problem;
import java.util.List;

/**
 * Asks a server whether it would take what a connector is going to send, without changing anything. One thread runs it
 * once; any thread closes it, which interrupts it.
 */
public interface ServerCheck extends AutoCloseable {
    /**
     * Asks. Has its own short time-outs; the caller may close it earlier.
     *
     * @return what the server says against the settings; empty when nothing
     */
    List<Finding> run();

    /** What to say when there is no end of it: what it waits for just now. Any thread. */
    Problem waitingFor();

    /** Nothing stays open: what is being opened is closed as soon as it is. Never throws; may be called more than once. */
    @Override
    void close();

    /** Something that the server, or its silence, says against the settings. */
    record Finding(Problem problem, Kind kind) {
        public Finding {
            requireNonNull(problem, "problem");
            requireNonNull(kind, "kind");
        }

        public static Finding wrong(String key, String message) {
            return new Finding(new Problem(key, message), Kind.WRONG);
        }

        public static Finding unavailable(String key, String message) {
            return new Finding(new Problem(key, message), Kind.UNAVAILABLE);
        }
    }

    /** Whether a human has to act. */
    enum Kind {
        /** It stays wrong until a human changes the settings or the server. */
        WRONG,
        /** The server cannot be asked or used now: this may be temporary, or the address may be wrong. */
        UNAVAILABLE
    }
}
