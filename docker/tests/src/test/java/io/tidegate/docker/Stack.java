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
 * A stack of {@code docker/compose.yaml} as {@code docker/stack} starts it, under a name of its own. It is removed with its
 * data when it is closed, and when this JVM ends or is killed. Thread-safe once it is started.
 */
final class Stack implements AutoCloseable {
    /** The folder of the stacks; tests run in their module's folder. */
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
     * Returns when the service that creates the connectors is done.
     *
     * @throws ServerException with what compose or that service said if it does not start
     */
    static Stack start(String profile, List<String> moreProfiles, Map<String, String> environment, String creator) {
        Stack stack = new Stack(profile, moreProfiles, environment);
        try {
            stack.compose("down", "--volumes");
            stack.compose("up", "--detach", "--build");
            String status = docker("wait", stack.container(creator)).strip();
            if (!status.equals("0")) {
                throw new ServerException(
                        creator + " ended with status " + status + ": " + stack.compose("logs", "--no-color", creator));
            }
            return stack;
        } catch (ServerException e) {
            try (stack) {
                throw e;
            }
        }
    }

    /** Waits for the end of its input, which this JVM's end is as well; signals to a whole group of processes pass by. */
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

    /** What a command of compose prints. */
    String compose(String... arguments) {
        List<String> full = new ArrayList<>(command);
        full.addAll(List.of(arguments));
        return Commands.printed(full, environment, STARTED);
    }

    /** What a command of docker prints. */
    static String docker(String... arguments) {
        List<String> full = new ArrayList<>(List.of("docker"));
        full.addAll(List.of(arguments));
        return Commands.printed(full, Map.of(), ANSWER);
    }

    /** The container of a service, whether it runs or not. */
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

    /** The address on this machine, such as 127.0.0.1:32768, at which a container's port is published. */
    String published(String service, int port) {
        return docker("port", container(service), Integer.toString(port))
                .lines()
                .findFirst()
                .orElseThrow(() -> new ServerException(service + " does not publish " + port));
    }

    /** The network that all services are on. */
    String network() {
        return name + "_default";
    }

    @Override
    public void close() {
        try {
            remover.getOutputStream().close();
            if (!remover.waitFor(REMOVED.toSeconds(), TimeUnit.SECONDS)) {
                throw new ServerException(name + " is not removed after " + REMOVED.toSeconds() + " s");
            }
            if (remover.exitValue() != 0) {
                throw new ServerException(
                        name + " is not removed: " + command + " down ended with status " + remover.exitValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
