package io.tidegate.connect.testkit.kafka;

import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.process.ChildServer;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.JvmServerBuilder;
import io.tidegate.connect.testkit.process.Log4j;
import io.tidegate.connect.testkit.process.PropertyFiles;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.remote.JMXServiceURL;

/**
 * A worker of a distributed Kafka Connect cluster. Workers with the same group id share connectors and tasks. After a
 * worker is killed, its tasks move to another worker in about 8 s.
 */
public final class ConnectWorker extends ChildServer implements Connect {
    private static final String MAIN = "org.apache.kafka.connect.cli.ConnectDistributed";
    private static final String LOG_PATTERN = "%d %p %X{connector.context}%m (%c)%n";
    private static final String PROVIDERS = "org.apache.kafka.common.config.provider.";

    /** The system property for the protocol of all sinks' consumers: {@code classic}, the default, or {@code consumer}. */
    private static final String GROUP_PROTOCOL = "testkit.group.protocol";

    private final HttpClient http = Http.plain(Duration.ofSeconds(2));
    private final Builder settings;

    private ConnectWorker(Builder builder) {
        super("connect");
        settings = builder;
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public URI restUri() {
        return URI.create("http://127.0.0.1:" + port("rest"));
    }

    /** On loopback. The worker must be built with {@link Builder#jmx}. */
    @Override
    public JMXServiceURL jmxUrl() {
        if (!settings.jmx) {
            throw new IllegalStateException(this + " has no JMX port: build it with jmx()");
        }
        return Connect.jmxUrl("127.0.0.1", port("jmx"));
    }

    @Override
    public String writeFile(String name, String text) {
        Path file = folder().resolve(name);
        Folders.write(file, text);
        return file.toString();
    }

    /**
     * The address where Prometheus reads the worker's metrics.
     *
     * @throws IllegalStateException if the worker was built without {@link Builder#exporter}
     */
    public URI exporterUri() {
        if (settings.exporter.isEmpty()) {
            throw new IllegalStateException(this + " has no exporter: build it with exporter()");
        }
        return URI.create("http://127.0.0.1:" + port("exporter") + "/metrics");
    }

    @Override
    protected Launch prepare() {
        Path config = folder().resolve("worker.properties");
        PropertyFiles.write(config, properties());
        List<String> options = new ArrayList<>();
        options.add(Log4j.option(folder(), LOG_PATTERN));
        if (settings.jmx) {
            options.addAll(jmxOptions());
        }
        settings.exporter.ifPresent(exporter -> options.add(
                "-javaagent:" + exporter.agent() + "=127.0.0.1:" + port("exporter") + ":" + exporter.rules()));
        return Launch.of(
                settings.jvm(),
                KafkaRelease.classPath(),
                options,
                MAIN,
                List.of(config.toString()),
                Map.copyOf(settings.environment));
    }

    private Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("bootstrap.servers", settings.bootstrapServers);
        properties.put("listeners", restUri().toString());
        properties.put("rest.advertised.host.name", "127.0.0.1");
        properties.put("rest.advertised.port", Integer.toString(port("rest")));
        if (!settings.pluginPath.isEmpty()) {
            properties.put("plugin.path", join(settings.pluginPath));
        }
        properties.putAll(forTests(settings.groupId));
        properties.putAll(settings.properties());
        return withConsumersThatFit(properties);
    }

    private static String join(List<Path> folders) {
        return folders.stream().map(Path::toString).collect(Collectors.joining(","));
    }

    /**
     * The properties of a worker for tests, without addresses and plugins: JSON without schemas, config providers, and
     * a group whose internal topics have no replicas and which notices a dead worker soon.
     */
    public static Map<String, String> forTests(String group) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
        properties.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        properties.put("value.converter.schemas.enable", "false");
        properties.put("plugin.discovery", "service_load");
        properties.put("config.providers", "env,file,directory");
        properties.put("config.providers.env.class", PROVIDERS + "EnvVarConfigProvider");
        properties.put("config.providers.file.class", PROVIDERS + "FileConfigProvider");
        properties.put("config.providers.directory.class", PROVIDERS + "DirectoryConfigProvider");
        properties.put("offset.flush.interval.ms", "5000");
        properties.put("group.id", group);
        for (String topic : List.of("config", "offset", "status")) {
            properties.put(topic + ".storage.topic", group + "-" + topic);
            properties.put(topic + ".storage.replication.factor", "1");
        }
        properties.put("offset.storage.partitions", "5");
        properties.put("status.storage.partitions", "2");
        for (String client : List.of("", "consumer.")) {
            properties.put(client + "session.timeout.ms", "6000");
            properties.put(client + "heartbeat.interval.ms", "1500");
        }
        String protocol = System.getProperty(GROUP_PROTOCOL, "");
        if (!protocol.isEmpty()) {
            properties.put("consumer.group.protocol", protocol);
        }
        properties.put("rebalance.timeout.ms", "30000");
        properties.put("scheduled.rebalance.max.delay.ms", "1000");
        properties.put("worker.unsync.backoff.ms", "3000");
        return withConsumersThatFit(properties);
    }

    /**
     * Removes what consumers of the new group protocol (KIP-848) refuse, if the properties ask for it: the broker sets
     * their time-outs.
     */
    private static Map<String, String> withConsumersThatFit(Map<String, String> properties) {
        if (properties.getOrDefault("consumer.group.protocol", "classic").equals("consumer")) {
            properties.remove("consumer.session.timeout.ms");
            properties.remove("consumer.heartbeat.interval.ms");
        }
        return properties;
    }

    private List<String> jmxOptions() {
        return Stream.of(
                        "host=127.0.0.1",
                        "port=" + port("jmx"),
                        "rmi.port=" + port("jmx"),
                        "authenticate=false",
                        "ssl=false")
                .map(option -> "-Dcom.sun.management.jmxremote." + option)
                .collect(Collectors.collectingAndThen(Collectors.toCollection(ArrayList::new), options -> {
                    options.add("-Djava.rmi.server.hostname=127.0.0.1");
                    return options;
                }));
    }

    /** {@code GET /health} (KIP-1017): the worker has started, is a member of the group and can respond. */
    @Override
    protected boolean isReady() {
        return Http.status(http, restUri().resolve("/health"), Map.of()) == 200;
    }

    @Override
    public String toString() {
        return "Connect worker " + restUri() + " of group " + settings.groupId;
    }

    /** The Prometheus JMX exporter. */
    private record Exporter(Path agent, Path rules) {}

    public static final class Builder extends JvmServerBuilder<Builder> {
        private final Map<String, String> environment = new LinkedHashMap<>();
        private final List<Path> pluginPath = new ArrayList<>();
        private String bootstrapServers = "";
        private String groupId = "connect";
        private boolean jmx;
        private Optional<Exporter> exporter = Optional.empty();

        private Builder() {}

        /** Sets the Kafka cluster. Required. */
        public Builder bootstrapServers(String servers) {
            bootstrapServers = Objects.requireNonNull(servers, "servers");
            return this;
        }

        /**
         * Adds folders that contain plugins. A plugin is a folder of jars or a jar. Without any, the worker has only
         * the converters and transforms in Kafka's own jars.
         */
        public Builder pluginPath(Path... folders) {
            for (Path folder : folders) {
                pluginPath.add(folder.toAbsolutePath());
            }
            return this;
        }

        /** Sets the workers' group and the prefix of their internal topics; {@code connect} by default. */
        public Builder groupId(String id) {
            groupId = Objects.requireNonNull(id, "id");
            return this;
        }

        /** Opens a port for {@link ConnectWorker#jmxUrl}. */
        public Builder jmx() {
            jmx = true;
            return this;
        }

        /**
         * Exposes the worker's metrics to Prometheus at {@link ConnectWorker#exporterUri}.
         *
         * @param agent the jar of the Prometheus JMX exporter
         * @param rules the exporter's configuration
         */
        public Builder exporter(Path agent, Path rules) {
            exporter = Optional.of(new Exporter(agent.toAbsolutePath(), rules.toAbsolutePath()));
            return this;
        }

        /** Sets an environment variable, for <code>${env:KEY}</code> in a connector's configuration. */
        public Builder environment(String key, String value) {
            environment.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /**
         * Creates a worker without starting it.
         *
         * @throws IllegalStateException without {@link #bootstrapServers}
         */
        public ConnectWorker build() {
            if (bootstrapServers.isEmpty()) {
                throw new IllegalStateException("A Connect worker needs bootstrapServers");
            }
            return new ConnectWorker(this);
        }
    }
}
