package io.tidegate.connect.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A process and all its descendants, as the operating system knows them at the moment of each call. */
final class ProcessTree {
    private static final Path PROC = Path.of("/proc");
    private static final int MOST_ROUNDS = 10;
    private static final Duration KILL_COMMAND = Duration.ofSeconds(10);
    // USER_HZ: 100 wherever Linux runs, whatever the kernel's own tick is.
    private static final long MILLIS_PER_TICK = 10;
    // In /proc/PID/stat after the command's closing bracket: utime, stime, cutime, cstime (proc(5) 14 to 17).
    private static final int UTIME = 11;
    private static final int CSTIME = 14;

    private final long pid;
    private final Optional<ProcessHandle> root;

    private ProcessTree(long pid) {
        this.pid = pid;
        this.root = ProcessHandle.of(pid);
    }

    static ProcessTree of(long pid) {
        return new ProcessTree(pid);
    }

    long pid() {
        return pid;
    }

    boolean isAlive() {
        return root.map(ProcessHandle::isAlive).orElse(false);
    }

    /** Sends the signal to the root alone. */
    void signal(String signal) {
        send(signal, root.stream().toList());
    }

    /** The root first: a stopped process starts no more children. */
    void pause() {
        signal("STOP");
        Set<ProcessHandle> stopped = new LinkedHashSet<>();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            List<ProcessHandle> fresh = descendants();
            fresh.removeAll(stopped);
            if (fresh.isEmpty()) {
                return;
            }
            send("STOP", fresh);
            stopped.addAll(fresh);
        }
    }

    void resume() {
        List<ProcessHandle> all = descendants();
        root.ifPresent(all::add);
        send("CONT", all);
    }

    /** @throws ServerException if one of the processes outlives SIGKILL by the bound */
    void kill(Duration bound) {
        pause();
        List<ProcessHandle> all = descendants();
        root.ifPresent(all::add);
        send("KILL", all);
        if (!Poll.until(() -> all.stream().noneMatch(ProcessHandle::isAlive), bound)) {
            throw new ServerException(
                    "Process %d or a child of it is still there %d s after SIGKILL".formatted(pid, bound.toSeconds()));
        }
    }

    /** User and system time, including that of children that have ended and were waited for. */
    Duration cpuTime() {
        List<ProcessHandle> all = descendants();
        root.ifPresent(all::add);
        return all.stream()
                .filter(ProcessHandle::isAlive)
                .map(ProcessTree::cpuTime)
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration cpuTime(ProcessHandle process) {
        Path stat = PROC.resolve(Long.toString(process.pid())).resolve("stat");
        try {
            String line = Files.readString(stat);
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int i = UTIME; i <= CSTIME; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            return Duration.ofMillis(ticks * MILLIS_PER_TICK);
        } catch (IOException e) {
            return process.info().totalCpuDuration().orElse(Duration.ZERO);
        }
    }

    private List<ProcessHandle> descendants() {
        return new ArrayList<>(root.stream().flatMap(ProcessHandle::descendants).toList());
    }

    /** Processes that have ended meanwhile are no error. */
    private static void send(String signal, List<ProcessHandle> processes) {
        if (processes.isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$0\" \"$@\" 2>/dev/null", signal));
        processes.forEach(process -> command.add(Long.toString(process.pid())));
        try {
            Process kill = new ProcessBuilder(command).start();
            if (!kill.waitFor(KILL_COMMAND.toSeconds(), TimeUnit.SECONDS)) {
                kill.destroyForcibly();
                throw new ServerException("The command kill hangs: " + command);
            }
        } catch (IOException e) {
            throw new ServerException("Cannot run the command kill", e);
        } catch (InterruptedException e) {
            throw Poll.interrupted("sending SIG" + signal, e);
        }
    }
}
