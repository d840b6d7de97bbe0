package io.tidegate.docker;

import io.tidegate.connect.testkit.process.Commands;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A stack of {@code docker/compose.yaml}, started by {@code docker/stack} under a separate name. Closing it removes it
 * with its data. It is also removed when this JVM ends or is killed. Thread-safe after its start.
 */
final class Stack implements AutoCloseable {
    /** The folder of the stacks. Tests run in the folder of their module. */
    static final Path DOCKER = Path.of("..").toAbsolutePath().normalize();

    private static final Duration STARTED = Duration.ofMinutes(8);
    private static final Duration ANSWER = Duration.ofMinutes(1);
    private static final Duration REMOVED = Duration.ofMinutes(2);

    private final String name;
    private final List<String> command;
    private final Map<String, String> environment;
    private final Process remover;
    private final Map<String, String> containers = new ConcurrentHashMap<>();

    private Stack(String profile, List<String> moreProfiles, Map<String, String> environment) {
        this.name = "tidegate-test-" + profile;
        this.command = new ArrayList<>(List.of(DOCKER.resolve("stack").toString(), profile));
        moreProfiles.forEach(more -> command.addAll(List.of("--profile", more)));
        this.environment = new ConcurrentHashMap<>(environment);
        this.environment.put("COMPOSE_PROJECT_NAME", name);
        this.remover = startRemover();
    }

    /**
     * Starts a stack and waits until the service that creates the connectors has finished.
     *
     * @throws ServerException with the output of compose or of that service, if the start fails
     */
    static Stack start(String profile, List<String> moreProfiles, Map<String, String> environment, String creator) {
        Stack stack = new Stack(profile, moreProfiles, environment);
        try {
            stack.compose("down", "--volumes");
            stack.compose("up", "--detach", "--build");
            String status = docker("wait", stack.container(creator)).strip();
            if (!status.equals("0")) {
                throw new ServerException("%s exited with status %s: %s"
                        .formatted(creator, status, stack.compose("logs", "--no-color", creator)));
            }
            return stack;
        } catch (ServerException e) {
            try (stack) {
                throw e;
            }
        }
    }

    /** Starts a process that removes the stack when this JVM ends. It ignores signals to the group. */
    private Process startRemover() {
        List<String> remove = new ArrayList<>(List.of("bash", "-c", "trap '' INT TERM HUP; cat; \"$@\"", "remover"));
        remove.addAll(command);
        remove.addAll(List.of("down", "--volumes"));
        ProcessBuilder builder = new ProcessBuilder(remove)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The output of a compose command. */
    String compose(String... arguments) {
        List<String> full = new ArrayList<>(command);
        full.addAll(List.of(arguments));
        return Commands.printed(full, environment, STARTED);
    }

    /** The output of a docker command. */
    static String docker(String... arguments) {
        List<String> full = new ArrayList<>(List.of("docker"));
        full.addAll(List.of(arguments));
        return Commands.printed(full, Map.of(), ANSWER);
    }

    /** The container of a service, running or not. */
    String container(String service) {
        return containers.computeIfAbsent(service, this::findContainer);
    }

    private String findContainer(String service) {
        String id = docker(
                        "ps",
                        "--all",
                        "--quiet",
                        "--filter",
                        "label=com.docker.compose.project=" + name,
                        "--filter",
                        "label=com.docker.compose.service=" + service)
                .strip();
        if (id.isEmpty()) {
            throw new ServerException("there is no container of " + service + " in " + name);
        }
        return id;
    }

    /** The address of a published port on this machine, such as 127.0.0.1:32768. */
    String published(String service, int port) {
        return docker("port", container(service), Integer.toString(port))
                .lines()
                .findFirst()
                .orElseThrow(() -> new ServerException(service + " does not publish " + port));
    }

    /** The network of all services. */
    String network() {
        return name + "_default";
    }

    @Override
    public void close() {
        try {
            remover.getOutputStream().close();
            if (!remover.waitFor(REMOVED.toSeconds(), TimeUnit.SECONDS)) {
                throw new ServerException(name + " was not removed within " + REMOVED.toSeconds() + " s");
            }
            if (remover.exitValue() != 0) {
                throw new ServerException(
                        name + " was not removed: " + command + " down exited with status " + remover.exitValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
