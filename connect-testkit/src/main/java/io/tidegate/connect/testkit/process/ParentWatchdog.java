package io.tidegate.connect.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Starts a process that ends when this JVM ends, even after {@code kill -9}. A shell script ({@code watchdog.sh})
 * starts the process and reads a pipe whose other end only this JVM holds. The script has a session separate from this
 * JVM's, so Ctrl-C in a terminal reaches only this JVM. A parent-death signal is no alternative: it depends on the
 * thread that started the process. Thread-safe.
 */
final class ParentWatchdog {
    private static final Set<ParentWatchdog> RUNNING = ConcurrentHashMap.newKeySet();
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration DEATH = Duration.ofSeconds(20);
    private static final List<String> FOREIGN_JVM_SETTINGS =
            List.of("CLASSPATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    static {
        JvmEnd.servers(ParentWatchdog::endAllServers);
    }

    private final Process script;
    private final ProcessTree server;
    private final String stopSignal;

    private ParentWatchdog(Process script, ProcessTree server, String stopSignal) {
        this.script = script;
        this.server = server;
        this.stopSignal = stopSignal;
    }

    /**
     * The process to run.
     *
     * @param folder the working folder; it is deleted if this JVM ends while the process runs
     * @param log the file that the output is appended to
     * @param stopSignal the signal for a clean shutdown, without "SIG"
     */
    record Order(List<String> command, Map<String, String> environment, Path folder, Path log, String stopSignal) {}

    /** @throws ServerException if the operating system cannot start the process */
    static ParentWatchdog start(Order order) {
        try {
            Process script = builder(order).start();
            try (BufferedReader output = script.inputReader(StandardCharsets.UTF_8)) {
                String pid = Optional.ofNullable(output.readLine())
                        .orElseThrow(() -> new IOException("watchdog.sh exited without a message, see " + order.log()));
                ParentWatchdog watchdog =
                        new ParentWatchdog(script, ProcessTree.of(Long.parseLong(pid)), order.stopSignal());
                RUNNING.add(watchdog);
                return watchdog;
            }
        } catch (IOException e) {
            throw new ServerException("Cannot start " + order.command().get(0) + ": " + e.getMessage(), e);
        }
    }

    private static ProcessBuilder builder(Order order) throws IOException {
        List<String> command = new ArrayList<>();
        if (Files.exists(SETSID)) {
            command.add(SETSID.toString());
        }
        command.addAll(List.of("sh", script(order.folder()).toString()));
        command.addAll(List.of(order.log().toString(), order.stopSignal(), Long.toString(GRACE.toSeconds())));
        command.add(order.folder().toString());
        command.addAll(order.command());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(order.folder().toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(order.log().toFile()));
        builder.environment().keySet().removeAll(FOREIGN_JVM_SETTINGS);
        builder.environment().putAll(order.environment());
        return builder;
    }

    private static Path script(Path folder) throws IOException {
        Path script = folder.resolve("watchdog.sh");
        try (InputStream resource = ParentWatchdog.class.getResourceAsStream("watchdog.sh")) {
            Files.write(script, resource.readAllBytes());
        }
        return script;
    }

    ProcessTree server() {
        return server;
    }

    boolean isRunning() {
        return server.isAlive() && script.isAlive();
    }

    /** The exit code of the ended process as a shell reports it (128 + signal). */
    int exitCode() {
        release();
        return script.exitValue();
    }

    void stop(Duration grace) {
        server.signal(stopSignal);
        server.resume();
        if (!Poll.until(() -> !server.isAlive(), grace)) {
            server.kill(DEATH);
        }
        release();
    }

    void kill() {
        server.kill(DEATH);
        release();
    }

    /**
     * Closes the pipe after the script has ended. Closing it earlier would tell the script that this JVM is dead, and
     * the script would delete the server's folder.
     */
    private void release() {
        awaitScript();
        closePipe();
        RUNNING.remove(this);
    }

    private static void endAllServers() {
        RUNNING.forEach(ParentWatchdog::closePipe);
        RUNNING.forEach(ParentWatchdog::awaitScript);
    }

    private void closePipe() {
        try {
            script.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitScript() {
        try {
            if (!script.waitFor(DEATH.toSeconds(), TimeUnit.SECONDS)) {
                script.destroyForcibly();
            }
        } catch (InterruptedException e) {
            throw Poll.interrupted("waiting for the end of process " + server.pid(), e);
        }
    }
}
