package io.tidegate.connect.testkit.process;

import java.nio.file.Path;
import java.time.Duration;

/**
 * A real server in its own process, a child of this JVM or a container, its data in a temporary
 * place. It dies with this JVM, however this JVM ends. One thread starts, stops and closes a server;
 * {@link #kill}, {@link #pause}, {@link #resume} and the questions may come from any other.
 */
public interface Server extends AutoCloseable {
    /**
     * Starts the server and returns when it is ready to serve, after a few minutes at most. Does nothing
     * when it runs. The first start chooses free ports, later ones keep them and the data.
     *
     * @throws ServerException if it ended or was not ready in time; with the end of its log
     */
    void start();

    /** Asks the server to stop, kills it after 30 s, keeps its data. Does nothing when it does not run. */
    void stop();

    /** SIGKILL for the process and its children, no questions asked; returns when they are gone. */
    void kill();

    /** {@link #stop} and {@link #start}. */
    default void restart() {
        stop();
        start();
    }

    /** SIGSTOP for the process and its children: the ports accept connections, nothing answers. */
    void pause();

    /** SIGCONT for the process and its children. */
    void resume();

    /** Whether the process is there, be it paused. */
    boolean isRunning();

    /**
     * The server's own process, not that of a script around it; a container's first one, as its engine's machine
     * numbers it.
     *
     * @throws IllegalStateException if it does not run
     */
    long pid();

    /**
     * User and system CPU time of the process and its children since {@link #start}, to 10 ms on Linux;
     * zero when it does not run. Where there is no {@code /proc}, children that have ended are missing.
     */
    Duration cpuTime();

    /**
     * Standard output and error of all starts. In the server's temporary folder, which {@link #close}
     * deletes, unless the system property {@code testkit.log.folder} names another one to keep logs in.
     */
    Path log();

    /**
     * Stops the server, kills it after 10 s, and deletes its data. A start after that finds it as new, on the same ports, so
     * that a test class that failed can be run once more.
     */
    @Override
    void close();
}
