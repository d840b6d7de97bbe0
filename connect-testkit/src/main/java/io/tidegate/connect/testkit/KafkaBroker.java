package io.tidegate.connect.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;

/**
 * One Kafka node, broker and KRaft controller at once, plain text on loopback. Topics are not made by
 * being used ({@code auto.create.topics.enable=false}): a consumer would revive a deleted one.
 */
public final class KafkaBroker extends ChildServer {
    private static final String MAIN = "io.tidegate.servers.kafka.BrokerMain";
    private static final String CLUSTER_ID = "dGlkZWdhdGUtdGVzdGtpdA";
    private static final Duration PROBE = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private final Jvm jvm;
    private final Map<String, String> overrides;
    private int port;
    private int controllerPort;

    private KafkaBroker(Builder builder) {
        super("kafka");
        jvm = builder.jvm;
        overrides = Map.copyOf(builder.properties);
        choosePorts();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** {@code host:port}; fixed once the broker has started. */
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /**
     * Creates a topic with one replica; returns when the broker has it.
     *
     * @throws ServerException if the broker refuses, or does not answer within 30 s
     */
    public void createTopic(String name, int partitions) {
        NewTopic topic = new NewTopic(Objects.requireNonNull(name, "name"), partitions, (short) 1);
        ask("create topic " + name, ANSWER, admin -> admin.createTopics(List.of(topic))
                .all());
    }

    /**
     * Deletes a topic.
     *
     * @throws ServerException if there is none of that name, or the broker does not answer within 30 s
     */
    public void deleteTopic(String name) {
        Objects.requireNonNull(name, "name");
        ask("delete topic " + name, ANSWER, admin -> admin.deleteTopics(List.of(name))
                .all());
    }

    @Override
    void choosePorts() {
        port = Ports.free();
        controllerPort = Ports.free();
    }

    @Override
    Launch prepare() {
        Path data = folder().resolve("data");
        Path config = folder().resolve("server.properties");
        PropertyFiles.write(config, properties(data));
        List<String> options = List.of(Log4j.option(folder(), "%d %p %m (%c)%n"));
        List<String> arguments = List.of(config.toString(), data.toString(), CLUSTER_ID);
        return new Launch(jvm.command(KafkaRelease.classPath(), options, MAIN, arguments), Map.of());
    }

    private Map<String, String> properties(Path data) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", "1");
        properties.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put(
                "listeners", "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port, controllerPort));
        properties.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
        properties.put("log.dirs", data.toString());
        properties.put("auto.create.topics.enable", "false");
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.put("group.min.session.timeout.ms", "1000");
        // A killed broker may come back under its name when the session of its former self is over.
        properties.put("broker.session.timeout.ms", "3000");
        properties.put("broker.heartbeat.interval.ms", "500");
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            properties.put(topic + ".num.partitions", "5");
            properties.put(topic + ".replication.factor", "1");
        }
        properties.put("transaction.state.log.min.isr", "1");
        properties.put("share.coordinator.state.topic.min.isr", "1");
        properties.putAll(overrides);
        return properties;
    }

    @Override
    boolean isReady() {
        if (!Ports.accepts(port)) {
            return false;
        }
        try {
            ask("describe the cluster", PROBE, admin -> admin.describeCluster().nodes());
            return true;
        } catch (ServerException e) {
            return false;
        }
    }

    private <T> T ask(String what, Duration atMost, Function<Admin, KafkaFuture<T>> question) {
        Properties config = new Properties();
        config.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) atMost.toMillis());
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PROBE.toMillis());
        Admin admin = Admin.create(config);
        try {
            return question.apply(admin).get(2 * atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new ServerException("%s did not %s: %s".formatted(this, what, e), e);
        } catch (InterruptedException e) {
            throw Poll.interrupted(what, e);
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    @Override
    public String toString() {
        return "Kafka broker " + bootstrapServers();
    }

    /** The settings of a {@link KafkaBroker}. */
    public static final class Builder {
        private final Map<String, String> properties = new LinkedHashMap<>();
        private Jvm jvm = Jvm.ordinary();

        private Builder() {}

        /** Ready soon, with a small heap (256m unless set) and without the optimising compiler: for tests. */
        public Builder fastStart() {
            jvm = jvm.withFastStart();
            return this;
        }

        /** The heap as in {@code -Xmx}; 512m by default. */
        public Builder heap(String size) {
            jvm = jvm.withHeap(size);
            return this;
        }

        /** A broker property; it wins over the testkit's own. */
        public Builder property(String key, String value) {
            properties.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /** A broker that is not started yet. */
        public KafkaBroker build() {
            return new KafkaBroker(this);
        }
    }
}
