package io.tidegate.connect.testkit.process;

import java.nio.file.Path;
import java.time.Duration;

/**
 * A real server in a separate process: a child of this JVM, or a container. Its data is temporary. The server ends when
 * this JVM ends, even after {@code kill -9}. One thread starts, stops and closes a server. Any thread may call {@link
 * #kill}, {@link #pause}, {@link #resume} and the methods that only read.
 */
public interface Server extends AutoCloseable {
    /**
     * Starts the server and waits until it is ready, for a few minutes at most. Does nothing if it is running. The
     * first start chooses free ports; later starts keep the ports and the data.
     *
     * @throws ServerException if the server exits or is not ready in time; the message has the end of its log
     */
    void start();

    /** Asks the server to stop and kills it after 30 s. Keeps its data. Does nothing if it is not running. */
    void stop();

    /** Sends SIGKILL to the process and its children. Returns when they have ended. */
    void kill();

    /** Calls {@link #stop}, then {@link #start}. */
    default void restart() {
        stop();
        start();
    }

    /** Sends SIGSTOP to the process and its children. The ports still accept connections, but nothing answers. */
    void pause();

    /** Sends SIGCONT to the process and its children. */
    void resume();

    /** Whether the process exists. A paused process counts as running. */
    boolean isRunning();

    /**
     * The id of the server's process, not of a script that started it. For a container, the id of its first process on
     * the machine of the container engine.
     *
     * @throws IllegalStateException if the server is not running
     */
    long pid();

    /**
     * User and system CPU time of the process and its children since {@link #start}, zero if it is not running. The
     * resolution on Linux is 10 ms. Without {@code /proc}, children that have ended are not counted.
     */
    Duration cpuTime();

    /**
     * The standard output and error of all starts. The file is in the server's temporary folder, which {@link #close}
     * deletes. The system property {@code testkit.log.folder} names another folder, where logs are kept.
     */
    Path log();

    /**
     * Stops the server, kills it after 10 s, and deletes its data. A later start begins with new data on the same
     * ports, so that a failed test class can be run again.
     */
    @Override
    void close();
}
