package io.tidegate.connect.testkit.containers;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports.Binding;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.WaitStrategy;
import org.testcontainers.containers.wait.strategy.WaitStrategyTarget;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/** A network for one test, in which containers find each other by name. Its first container creates it. */
final class ContainerNetwork implements AutoCloseable {
    private Optional<Network> made = Optional.empty();

    /** Creates a container for the caller to configure. The reaper removes it when this JVM ends. */
    GenericContainer<?> container(String alias, DockerImageName image) {
        Reaper.watch();
        DockerImageName chosen = ImageNameSubstitutor.instance().apply(image);
        System.err.printf(
                "CONTAINER %s runs %s%s%n",
                alias, chosen, chosen.equals(image) ? "" : ", a STAND-IN for the official image " + image);
        return new GenericContainer<>(image)
                .withNetwork(network())
                .withNetworkAliases(alias)
                .waitingFor(new NoWait())
                .withCreateContainerCmdModifier(ContainerNetwork::label);
    }

    private Network network() {
        if (made.isEmpty()) {
            made = Optional.of(Network.builder()
                    .createNetworkCmdModifier(command -> command.withLabels(Map.of(Reaper.LABEL, Reaper.SESSION)))
                    .build());
        }
        return made.get();
    }

    private static void label(CreateContainerCmd command) {
        Objects.requireNonNull(command.getLabels()).put(Reaper.LABEL, Reaper.SESSION);
    }

    /** The host name or address of published ports for this JVM. */
    static String host() {
        return DockerClientFactory.instance().dockerHostIpAddress();
    }

    /**
     * Publishes ports under fixed numbers. The engine would choose other numbers after a restart.
     *
     * @param ports published port to container port
     */
    static void publish(GenericContainer<?> container, Map<Integer, Integer> ports) {
        List<PortBinding> bindings = ports.entrySet().stream()
                .map(port -> new PortBinding(binding(port.getKey()), ExposedPort.tcp(port.getValue())))
                .toList();
        container.withCreateContainerCmdModifier(command -> {
            HostConfig config = Optional.ofNullable(command.getHostConfig()).orElseGet(HostConfig::new);
            command.withExposedPorts(Stream.concat(
                            Stream.of(command.getExposedPorts()),
                            bindings.stream().map(PortBinding::getExposedPort))
                    .toList());
            command.withHostConfig(config.withPortBindings(bindings));
        });
    }

    /** Binds to loopback if the engine runs on this machine, so that other machines cannot connect. */
    private static Binding binding(int port) {
        try {
            InetAddress address = InetAddress.getByName(host());
            return address.isLoopbackAddress()
                    ? Binding.bindIpAndPort(address.getHostAddress(), port)
                    : Binding.bindPort(port);
        } catch (UnknownHostException e) {
            return Binding.bindPort(port);
        }
    }

    @Override
    public void close() {
        made.ifPresent(Network::close);
        made = Optional.empty();
    }

    /** Does not wait: {@link ContainerServer} checks readiness at every start, not only at the first one. */
    private static final class NoWait implements WaitStrategy {
        @Override
        public void waitUntilReady(WaitStrategyTarget target) {}

        @Override
        public WaitStrategy withStartupTimeout(Duration timeout) {
            return this;
        }
    }
}
