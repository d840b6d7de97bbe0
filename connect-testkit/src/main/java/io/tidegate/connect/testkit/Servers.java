package io.tidegate.connect.testkit;

import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.kafka.Connect;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.postgres.Postgres;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The servers of a test, wherever they run. The test asks for those it needs, then for {@link #obstacle}, and starts
 * them; it closes each of them, and these servers last. One test thread's.
 */
public interface Servers extends AutoCloseable {
    /** The system property that names the kind of servers; if it is empty, the environment is asked. */
    String PROPERTY = "tidegate.servers";

    /** The environment variable that names the kind of servers; {@link EmbeddedServers#KIND} without it. */
    String VARIABLE = "TIDEGATE_SERVERS";

    /** Makes servers of one kind; found as a service. */
    interface Provider {
        /** The name of the kind. */
        String kind();

        /** Servers that share nothing with others. */
        Servers create();
    }

    /**
     * A Connect worker as a test wants it, besides what all test workers have.
     *
     * @param pluginPath the folder that holds the folders of the plugins
     * @param properties worker properties; they win over the testkit's own
     * @param environment for <code>${env:KEY}</code> in a connector's configuration
     */
    record WorkerOrder(Path pluginPath, Map<String, String> properties, Map<String, String> environment) {
        public WorkerOrder {
            Objects.requireNonNull(pluginPath, "pluginPath");
            properties = Map.copyOf(properties);
            environment = Map.copyOf(environment);
        }
    }

    /**
     * Servers of the kind that the starter of this JVM has chosen.
     *
     * @throws IllegalStateException if there is no such kind on the class path
     */
    static Servers chosen() {
        String kind = chosenKind();
        if (kind.equals(EmbeddedServers.KIND)) {
            return new EmbeddedServers();
        }
        return ServiceLoader.load(Provider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.kind().equals(kind))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException(("There are no servers of the kind %s: set %s or %s to %s, or"
                                        + " to a kind whose module is on the class path")
                                .formatted(kind, PROPERTY, VARIABLE, EmbeddedServers.KIND)))
                .create();
    }

    /** The kind that the starter of this JVM has chosen, whether there is one of that name or not. */
    static String chosenKind() {
        String property = System.getProperty(PROPERTY, "");
        return property.isEmpty() ? System.getenv().getOrDefault(VARIABLE, EmbeddedServers.KIND) : property;
    }

    /** Child processes, whatever was chosen. */
    static Servers embedded() {
        return new EmbeddedServers();
    }

    /** A broker that is not started yet. */
    Kafka kafka();

    /** A server that is not started yet. */
    Postgres postgres();

    /** A node that is not started yet. */
    Elasticsearch elasticsearch();

    /** A worker with metrics, not started yet, of a broker and stores that came from these servers and run. */
    Connect connect(Kafka kafka, WorkerOrder order);

    /** Why the servers that were asked for so far cannot run on this machine, if they cannot; found out in seconds. */
    Optional<String> obstacle();

    /** Removes what the servers shared. */
    @Override
    void close();
}
