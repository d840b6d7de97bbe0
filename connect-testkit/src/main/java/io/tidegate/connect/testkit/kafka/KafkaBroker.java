package io.tidegate.connect.testkit.kafka;

import io.tidegate.connect.testkit.process.ChildServer;
import io.tidegate.connect.testkit.process.JvmServerBuilder;
import io.tidegate.connect.testkit.process.Log4j;
import io.tidegate.connect.testkit.process.Ports;
import io.tidegate.connect.testkit.process.PropertyFiles;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A Kafka node that is both broker and KRaft controller, without TLS on loopback. It does not create topics
 * automatically ({@code auto.create.topics.enable=false}), because a consumer would create a deleted topic again.
 */
public final class KafkaBroker extends ChildServer implements Kafka {
    private static final String MAIN = "io.tidegate.servers.kafka.BrokerMain";
    private static final String CLUSTER_ID = "dGlkZWdhdGUtdGVzdGtpdA";

    private final Builder settings;

    private KafkaBroker(Builder builder) {
        super("kafka");
        settings = builder;
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String bootstrapServers() {
        return "127.0.0.1:" + port("clients");
    }

    @Override
    protected Launch prepare() {
        Path data = folder().resolve("data");
        Path config = folder().resolve("server.properties");
        PropertyFiles.write(config, properties(data));
        List<String> options = List.of(Log4j.option(folder(), "%d %p %m (%c)%n"));
        List<String> arguments = List.of(config.toString(), data.toString(), CLUSTER_ID);
        return Launch.of(settings.jvm(), KafkaRelease.classPath(), options, MAIN, arguments, Map.of());
    }

    private Map<String, String> properties(Path data) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", "1");
        properties.put("controller.quorum.voters", "1@127.0.0.1:" + port("controller"));
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put(
                "listeners",
                "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port("clients"), port("controller")));
        properties.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port("clients"));
        properties.put("log.dirs", data.toString());
        properties.putAll(forTests());
        properties.putAll(settings.properties());
        return properties;
    }

    /** The properties of a single broker for tests, without names, addresses and folders. */
    public static Map<String, String> forTests() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("auto.create.topics.enable", "false");
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.put("log.cleaner.backoff.ms", "500"); // tests wait for it; a broker's default is 15 s
        properties.put("log.cleaner.dedupe.buffer.size", "4194304"); // each pass clears it; the default is 128 MB
        properties.put("group.min.session.timeout.ms", "1000");
        // A killed broker can restart under its name only after its old session has expired.
        properties.put("broker.session.timeout.ms", "3000");
        properties.put("broker.heartbeat.interval.ms", "500");
        properties.put("metadata.max.idle.interval.ms", "0"); // an idle broker writes nothing
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            properties.put(topic + ".num.partitions", "5");
            properties.put(topic + ".replication.factor", "1");
        }
        properties.put("transaction.state.log.min.isr", "1");
        properties.put("share.coordinator.state.topic.min.isr", "1");
        return properties;
    }

    /** Checks the port first: the client would log its failures. */
    @Override
    protected boolean isReady() {
        return Ports.accepts(port("clients")) && new KafkaAdmin(bootstrapServers()).isAnswered();
    }

    @Override
    public String toString() {
        return "Kafka broker " + bootstrapServers();
    }

    public static final class Builder extends JvmServerBuilder<Builder> {
        private Builder() {}

        /** Creates a broker without starting it. */
        public KafkaBroker build() {
            return new KafkaBroker(this);
        }
    }
}
