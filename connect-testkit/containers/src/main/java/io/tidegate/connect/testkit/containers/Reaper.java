package io.tidegate.connect.testkit.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.Network;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.testcontainers.DockerClientFactory;

/**
 * A separate process that removes a JVM's containers, volumes and networks after that JVM has ended, even by {@code
 * kill -9}. It notices the end by the end of its standard input. Unlike Testcontainers' reaper, it needs no image.
 */
public final class Reaper {
    static final String LABEL = "io.tidegate.testkit.session";
    static final String SESSION = UUID.randomUUID().toString();

    /** More than one sweep: what the engine was creating when the JVM died can appear a moment later. */
    private static final int SWEEPS = 5;

    private static final long BETWEEN_SWEEPS_MS = 500;

    private Reaper() {}

    /** Starts the reaper of this JVM. Only the first call has an effect. */
    static void watch() {
        Started.PROCESS.isAlive();
    }

    private static final class Started {
        static final Process PROCESS = start();

        private static Process start() {
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            List<String> command = List.of(
                    java,
                    "-Xmx64m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Reaper.class.getName(),
                    SESSION);
            try {
                return new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Waits for the end of standard input, then removes everything of the session named by the argument. */
    public static void main(String[] args) throws IOException, InterruptedException {
        DockerClient client = DockerClientFactory.instance().client();
        while (System.in.read() >= 0) {
            // Standard input is only watched for its end.
        }
        Map<String, String> session = Map.of(LABEL, args[0]);
        for (int i = 0; i < SWEEPS; i++) {
            sweep(client, session);
            Thread.sleep(BETWEEN_SWEEPS_MS);
        }
    }

    private static void sweep(DockerClient client, Map<String, String> session) {
        for (Container container : client.listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(session)
                .exec()) {
            remove(() -> client.removeContainerCmd(container.getId())
                    .withForce(true)
                    .withRemoveVolumes(true)
                    .exec());
        }
        for (Network network : client.listNetworksCmd()
                .withFilter("label", List.of(LABEL + "=" + session.get(LABEL)))
                .exec()) {
            remove(() -> client.removeNetworkCmd(network.getId()).exec());
        }
    }

    private static void remove(Runnable removal) {
        try {
            removal.run();
        } catch (DockerException e) {
            // Already removed or still in use; the next sweep tries again.
        }
    }
}
