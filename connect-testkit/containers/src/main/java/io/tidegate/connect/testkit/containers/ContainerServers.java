package io.tidegate.connect.testkit.containers;

import io.tidegate.connect.testkit.Servers;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.kafka.Connect;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.postgres.Postgres;
import io.tidegate.connect.testkit.process.ServerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;

/**
 * Runs containers of the official images, or of their stand-ins, on one network. A worker reaches its stores through
 * Toxiproxy.
 */
public final class ContainerServers implements Servers {
    /** If this environment variable is {@code true}, an obstacle is an error. */
    static final String REQUIRED = "TIDEGATE_REQUIRE_CONTAINERS";

    private final ContainerNetwork network = new ContainerNetwork();
    private final Toxiproxy toxiproxy = new Toxiproxy(network);
    private final List<ContainerServer> asked = new ArrayList<>(List.of(toxiproxy));

    /** Makes {@link ContainerServers}. */
    public static final class Kind implements Provider {
        /** For {@link java.util.ServiceLoader}. */
        public Kind() {}

        @Override
        public String kind() {
            return "containers";
        }

        @Override
        public Servers create() {
            return new ContainerServers();
        }
    }

    @Override
    public Kafka kafka() {
        return asked(new KafkaContainer(network));
    }

    @Override
    public Postgres postgres() {
        return asked(new PostgresContainer(network, toxiproxy));
    }

    @Override
    public Elasticsearch elasticsearch() {
        return asked(new ElasticsearchContainer(network, toxiproxy));
    }

    private <T extends ContainerServer> T asked(T server) {
        asked.add(server);
        return server;
    }

    /** @throws IllegalArgumentException if the broker does not come from this object */
    @Override
    public Connect connect(Kafka kafka, WorkerOrder order) {
        if (kafka instanceof KafkaContainer broker && asked.contains(broker)) {
            return new ConnectContainer(network, broker, order);
        }
        throw new IllegalArgumentException(kafka + " is not on this network: the worker could not reach it");
    }

    /** @throws ServerException if there is an obstacle and containers are required */
    @Override
    public Optional<String> obstacle() {
        return failIfRequired(findObstacle(), Boolean.parseBoolean(System.getenv(REQUIRED)));
    }

    static Optional<String> failIfRequired(Optional<String> obstacle, boolean required) {
        if (required && obstacle.isPresent()) {
            throw new ServerException(REQUIRED + "=true, but " + obstacle.get());
        }
        return obstacle;
    }

    private Optional<String> findObstacle() {
        if (!Boolean.parseBoolean(System.getenv("TESTCONTAINERS_RYUK_DISABLED"))) {
            return Optional.of("TESTCONTAINERS_RYUK_DISABLED is not true: Testcontainers would run an image that"
                    + " removes its containers, but the testkit removes them itself");
        }
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            return Optional.of("no Docker engine responds: DOCKER_HOST is "
                    + System.getenv().getOrDefault("DOCKER_HOST", "not set")
                    + ", docker/engine-up finds or starts one");
        }
        return asked.stream()
                .map(server -> Images.obstacle(server.image()))
                .flatMap(Optional::stream)
                .findFirst();
    }

    @Override
    public void close() {
        toxiproxy.close();
        network.close();
    }
}
