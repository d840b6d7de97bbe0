package io.tidegate.connect.testkit.process;

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

/** A process and all its descendants, as the operating system reports them at the time of each call. */
final class ProcessTree {
    private static final int MOST_ROUNDS = 10;
    private static final Duration KILL_COMMAND = Duration.ofSeconds(10);
    // USER_HZ is 100 on every Linux, whatever the kernel's tick is.
    private static final long MILLIS_PER_TICK = 10;
    // utime, stime, cutime and cstime are fields 14 to 17 of the file, so 11 to 14 after the bracket.
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
        return root.map(ProcessTree::isAlive).orElse(false);
    }

    /** A zombie counts as dead: its parent has only not read its exit code yet. */
    private static boolean isAlive(ProcessHandle process) {
        return process.isAlive() && !stat(process).map(ProcessTree::isZombie).orElse(false);
    }

    private static boolean isZombie(String[] stat) {
        return stat[0].equals("Z");
    }

    /** The fields of {@code /proc/PID/stat} after the closing bracket, from the state on; see proc(5). */
    private static Optional<String[]> stat(ProcessHandle process) {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return Optional.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Sends the signal to the root process only. */
    void signal(String signal) {
        send(signal, root.stream().toList());
    }

    /** Stops the root first: a stopped process starts no more children. */
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

    /** @throws ServerException if a process survives SIGKILL for longer than the bound */
    void kill(Duration bound) {
        pause();
        List<ProcessHandle> all = descendants();
        root.ifPresent(all::add);
        send("KILL", all);
        if (!Poll.until(() -> all.stream().noneMatch(ProcessTree::isAlive), bound)) {
            throw new ServerException("Process %d or one of its children is still running %d s after SIGKILL"
                    .formatted(pid, bound.toSeconds()));
        }
    }

    /** User and system CPU time, including that of children that have ended and were waited for. */
    Duration cpuTime() {
        List<ProcessHandle> all = descendants();
        root.ifPresent(all::add);
        return all.stream()
                .filter(ProcessHandle::isAlive)
                .map(process -> cpuTime(process))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration cpuTime(ProcessHandle process) {
        return stat(process)
                .map(ProcessTree::cpuTime)
                .or(() -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    private static Duration cpuTime(String[] stat) {
        long ticks = 0;
        for (int i = UTIME; i <= CSTIME; i++) {
            ticks += Long.parseLong(stat[i]);
        }
        return Duration.ofMillis(ticks * MILLIS_PER_TICK);
    }

    private List<ProcessHandle> descendants() {
        return new ArrayList<>(root.stream().flatMap(ProcessHandle::descendants).toList());
    }

    /** Ignores processes that have ended meanwhile. */
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
