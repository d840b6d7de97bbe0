package io.tidegate.connect.testkit.containers;

import io.tidegate.connect.testkit.net.Passwords;
import io.tidegate.connect.testkit.postgres.Postgres;
import io.tidegate.connect.testkit.process.Ports;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** A server without {@code fsync}. A worker reaches it through Toxiproxy. */
final class PostgresContainer extends ContainerServer implements Postgres {
    private static final int PORT = 5432;

    private final Toxiproxy toxiproxy;
    private final String password = Passwords.random();
    private final int port = Ports.free();

    PostgresContainer(ContainerNetwork network, Toxiproxy toxiproxy) {
        super(network, "postgres", release());
        this.toxiproxy = toxiproxy;
    }

    private static DockerImageName release() {
        DockerImageName ordinary = Images.official("postgres");
        return Optional.ofNullable(System.getProperty(MAJOR))
                .map(ordinary::withTag)
                .orElse(ordinary);
    }

    @Override
    void configure(GenericContainer<?> container) {
        toxiproxy.start();
        toxiproxy.forward(alias(), PORT);
        ContainerNetwork.publish(container, Map.of(port, PORT));
        container
                .withEnv("POSTGRES_PASSWORD", password)
                .withCommand("postgres", "-c", "fsync=off", "-c", "full_page_writes=off");
    }

    @Override
    public String host() {
        return ContainerNetwork.host();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String workerHost() {
        return toxiproxy.alias();
    }

    @Override
    public int workerPort() {
        return PORT;
    }

    @Override
    public String user() {
        return "postgres";
    }

    @Override
    public String password() {
        return password;
    }

    @Override
    public String database() {
        return "postgres";
    }

    @Override
    boolean isReady() {
        try (Connection connection = connect()) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }
}
