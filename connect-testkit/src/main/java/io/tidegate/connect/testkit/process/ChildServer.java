package io.tidegate.connect.testkit.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server in a child process, with its folder and its log. A subclass says what to run and when the server is ready.
 * One thread starts, stops and closes the server; only that thread writes the fields.
 */
public abstract class ChildServer implements Server {
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final Path folder;
    private final ServerLog log;
    private final Map<String, Integer> ports = new ConcurrentHashMap<>();
    private volatile Optional<ParentWatchdog> watchdog = Optional.empty();
    private Optional<FolderCopy> beforeFirstStart = Optional.empty();
    private List<String> command = List.of();
    private boolean closed;

    protected ChildServer(String kind) {
        folder = Folders.temporary(kind);
        log = new ServerLog(Folders.logFile(folder));
    }

    /**
     * How to start the server.
     *
     * @param environment added to the environment of this JVM
     * @param interval between the checks whether the server is ready
     */
    public record Launch(List<String> command, Map<String, String> environment, Duration interval) {
        /** A program that is ready soon. */
        public Launch(List<String> command, Map<String, String> environment) {
            this(command, environment, Poll.INTERVAL);
        }

        /** A JVM, which maps its classes from a {@link ClassArchive} if there is one. */
        public static Launch of(
                Jvm jvm,
                String classPath,
                List<String> options,
                String mainClass,
                List<String> arguments,
                Map<String, String> environment) {
            List<String> archive = ClassArchive.options(jvm, classPath, options, mainClass);
            List<String> all = new ArrayList<>(options);
            all.addAll(archive);
            if (jvm.fast() && !ClassArchive.isWrittenWith(archive)) {
                all.addAll(Jvm.WITHOUT_VERIFICATION);
            }
            return new Launch(jvm.command(classPath, all, mainClass, arguments), environment, Poll.LONG_INTERVAL);
        }
    }

    /** Writes the server's configuration and returns the command that starts it. Called before each start. */
    protected abstract Launch prepare();

    /** Called repeatedly until the server is ready or its process has ended. Must return within seconds. */
    protected abstract boolean isReady();

    /** The signal for a clean and fast shutdown. */
    protected String stopSignal() {
        return "TERM";
    }

    /** A free port for this use, the same at each call. Changes only if another process took it before the first start. */
    protected final int port(String use) {
        return ports.computeIfAbsent(use, any -> Ports.free());
    }

    protected final Path folder() {
        return folder;
    }

    @Override
    public final void start() {
        if (isRunning()) {
            return;
        }
        boolean isFirstStart = beforeFirstStart.isEmpty();
        FolderCopy files = beforeFirstStart();
        if (closed) {
            files.restore();
        }
        closed = false;
        try {
            startOnce();
        } catch (ServerException e) {
            if (!log.saysThatPortIsTaken()) {
                throw e;
            }
            if (isFirstStart) {
                ports.clear();
            }
            startOnce();
        }
    }

    private FolderCopy beforeFirstStart() {
        if (beforeFirstStart.isEmpty()) {
            beforeFirstStart = Optional.of(FolderCopy.of(folder));
        }
        return beforeFirstStart.get();
    }

    private void startOnce() {
        log.markStart();
        Launch launch = prepare();
        command = launch.command();
        ParentWatchdog started = ParentWatchdog.start(
                new ParentWatchdog.Order(launch.command(), launch.environment(), folder, log.file(), stopSignal()));
        watchdog = Optional.of(started);
        boolean ready = false;
        try {
            ready = Poll.until(() -> !started.isRunning() || isReady(), launch.interval(), READY_TIMEOUT)
                    && started.isRunning();
        } finally {
            if (!ready) {
                failStart(started);
            }
        }
    }

    private void failStart(ParentWatchdog started) {
        String reason = started.isRunning()
                ? "was not ready within " + READY_TIMEOUT.toSeconds() + " s"
                : "exited with code " + started.exitCode();
        started.kill();
        throw new ServerException(
                "%s %s while it started. The end of its log %s:%n%s".formatted(this, reason, log.file(), log.tail()));
    }

    @Override
    public final void stop() {
        stop(STOP_TIMEOUT);
    }

    private void stop(Duration grace) {
        watchdog.filter(ParentWatchdog::isRunning).ifPresent(running -> {
            running.stop(grace.plus(ClassArchive.writing(command)));
            ClassArchive.keep(command, running.exitCode());
        });
        watchdog = Optional.empty();
    }

    @Override
    public final void kill() {
        watchdog.ifPresent(killed -> {
            killed.kill();
            ClassArchive.keep(command, killed.exitCode());
        });
    }

    @Override
    public final void pause() {
        running().server().pause();
    }

    @Override
    public final void resume() {
        running().server().resume();
    }

    @Override
    public final boolean isRunning() {
        return watchdog.map(ParentWatchdog::isRunning).orElse(false);
    }

    @Override
    public final long pid() {
        return running().server().pid();
    }

    @Override
    public final Duration cpuTime() {
        return watchdog.map(held -> held.server().cpuTime()).orElse(Duration.ZERO);
    }

    private ParentWatchdog running() {
        return watchdog.filter(ParentWatchdog::isRunning)
                .orElseThrow(() -> new IllegalStateException(this + " is not running, see " + log.file()));
    }

    @Override
    public final Path log() {
        return log.file();
    }

    @Override
    public final void close() {
        stop(CLOSE_TIMEOUT);
        if (closed) {
            return;
        }
        FolderCopy unused = beforeFirstStart();
        closed = true;
        Folders.delete(folder);
    }
}
