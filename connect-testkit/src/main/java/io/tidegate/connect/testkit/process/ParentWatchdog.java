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
 * A process that ends with this JVM, however this JVM ends: a small shell script starts it ({@code
 * watchdog.sh}) whose standard input only this JVM holds open. The script is in its own session, so
 * that Ctrl-C in a terminal reaches this JVM alone. (A parent-death signal would be tied to the thread
 * that started the process.) Usable from any thread.
 */
final class ParentWatchdog {
    private static final Set<ParentWatchdog> HELD = ConcurrentHashMap.newKeySet();
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration DEATH = Duration.ofSeconds(20);
    private static final List<String> FOREIGN_JVM_SETTINGS =
            List.of("CLASSPATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    static {
        JvmEnd.servers(ParentWatchdog::letAllGo);
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
     * What to run.
     *
     * @param folder the working folder, deleted when this JVM ends while the process runs
     * @param log where the output is appended to
     * @param stopSignal the signal that ends the process in good order, without "SIG"
     */
    record Order(List<String> command, Map<String, String> environment, Path folder, Path log, String stopSignal) {}

    /** @throws ServerException if the operating system does not start the process */
    static ParentWatchdog start(Order order) {
        try {
            Process script = builder(order).start();
            try (BufferedReader said = script.inputReader(StandardCharsets.UTF_8)) {
                String pid = Optional.ofNullable(said.readLine())
                        .orElseThrow(() -> new IOException("watchdog.sh ended without a word, see " + order.log()));
                ParentWatchdog watchdog =
                        new ParentWatchdog(script, ProcessTree.of(Long.parseLong(pid)), order.stopSignal());
                HELD.add(watchdog);
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

    /** The exit code as the shell says it (128 + signal), once the process has ended. */
    int exitCode() {
        drop();
        return script.exitValue();
    }

    void stop(Duration grace) {
        server.signal(stopSignal);
        server.resume();
        if (!Poll.until(() -> !server.isAlive(), grace)) {
            server.kill(DEATH);
        }
        drop();
    }

    void kill() {
        server.kill(DEATH);
        drop();
    }

    /**
     * The server is gone; so is the script in a moment. To let go before it is would tell it that this
     * JVM is dead, and the server's folder not needed any more.
     */
    private void drop() {
        awaitScript();
        letGo();
        HELD.remove(this);
    }

    private static void letAllGo() {
        HELD.forEach(ParentWatchdog::letGo);
        HELD.forEach(ParentWatchdog::awaitScript);
    }

    private void letGo() {
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
