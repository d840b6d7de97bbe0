package io.tidegate.connect.testkit.containers;

import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.kafka.KafkaAdmin;
import io.tidegate.connect.testkit.kafka.KafkaBroker;
import io.tidegate.connect.testkit.process.Ports;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.testcontainers.containers.GenericContainer;

/** A broker that is also the controller. It has one listener for this JVM and one for the other containers. */
final class KafkaContainer extends ContainerServer implements Kafka {
    private static final int INNER_PORT = 19092;
    private static final int CONTROLLER_PORT = 19093;

    private final int port = Ports.free();

    KafkaContainer(ContainerNetwork network) {
        super(network, "kafka", Images.official("kafka"));
    }

    @Override
    void configure(GenericContainer<?> container) {
        ContainerNetwork.publish(container, Map.of(port, port));
        properties().forEach((key, value) -> container.withEnv(variable(key), value));
    }

    private Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>(KafkaBroker.forTests());
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", "1");
        properties.put("controller.quorum.voters", "1@localhost:" + CONTROLLER_PORT);
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put("inter.broker.listener.name", "INNER");
        properties.put("listener.security.protocol.map", "OUTER:PLAINTEXT,INNER:PLAINTEXT,CONTROLLER:PLAINTEXT");
        properties.put(
                "listeners", "OUTER://:%d,INNER://:%d,CONTROLLER://:%d".formatted(port, INNER_PORT, CONTROLLER_PORT));
        properties.put("advertised.listeners", "OUTER://%s,INNER://%s".formatted(bootstrapServers(), innerServers()));
        return properties;
    }

    /** The environment variable for a property; the official image's documentation defines the format. */
    private static String variable(String property) {
        return "KAFKA_"
                + property.replace("_", "__")
                        .replace("-", "___")
                        .replace('.', '_')
                        .toUpperCase(Locale.ROOT);
    }

    @Override
    public String bootstrapServers() {
        return ContainerNetwork.host() + ":" + port;
    }

    /** The bootstrap servers for other containers. */
    String innerServers() {
        return alias() + ":" + INNER_PORT;
    }

    @Override
    boolean isReady() {
        return new KafkaAdmin(bootstrapServers()).isAnswered();
    }
}
