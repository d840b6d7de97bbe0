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
 * The servers of a test. A test asks for the servers that it needs, then calls {@link #obstacle}, then starts them. At
 * the end it closes each server, and this object last. Used by one test thread.
 */
public interface Servers extends AutoCloseable {
    /** The system property that names the kind of servers. If it is empty, the environment variable is used. */
    String PROPERTY = "tidegate.servers";

    /** The environment variable that names the kind of servers. The default is {@link EmbeddedServers#KIND}. */
    String VARIABLE = "TIDEGATE_SERVERS";

    /** Makes servers of one kind. Found by {@link ServiceLoader}. */
    interface Provider {
        String kind();

        /** Makes servers that share nothing with others in use. */
        Servers create();
    }

    /**
     * What a test asks of a Connect worker, in addition to what all test workers have.
     *
     * @param pluginPath the folder that contains the plugins' folders
     * @param properties worker properties; they override the testkit's own
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
     * Servers of the kind that {@link #PROPERTY} or {@link #VARIABLE} names.
     *
     * @throws IllegalStateException if the class path has no such kind
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
                        () -> new IllegalStateException(("Unknown kind of servers %s: set %s or %s to %s, or to a kind"
                                        + " whose module is on the class path")
                                .formatted(kind, PROPERTY, VARIABLE, EmbeddedServers.KIND)))
                .create();
    }

    /** The name of the kind, even if there is no such kind. */
    static String chosenKind() {
        String property = System.getProperty(PROPERTY, "");
        return property.isEmpty() ? System.getenv().getOrDefault(VARIABLE, EmbeddedServers.KIND) : property;
    }

    /** Servers as child processes, whatever kind was chosen. */
    static Servers embedded() {
        return new EmbeddedServers();
    }

    /** Creates a broker without starting it. */
    Kafka kafka();

    /** Creates a server without starting it. */
    Postgres postgres();

    /** Creates a node without starting it. */
    Elasticsearch elasticsearch();

    /** Creates a worker with metrics, without starting it. Broker and stores of this object must be running. */
    Connect connect(Kafka kafka, WorkerOrder order);

    /** The reason why the requested servers cannot run on this machine, or empty. Takes seconds. */
    Optional<String> obstacle();

    /** Removes what the servers share. */
    @Override
    void close();
}
