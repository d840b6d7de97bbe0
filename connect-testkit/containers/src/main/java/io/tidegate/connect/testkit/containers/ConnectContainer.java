package io.tidegate.connect.testkit.containers;

import io.tidegate.connect.testkit.Servers.WorkerOrder;
import io.tidegate.connect.testkit.kafka.Connect;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.process.Ports;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import javax.management.remote.JMXServiceURL;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.MountableFile;

/** A worker that runs Kafka's official image, with the plugins copied into it. */
final class ConnectContainer extends ContainerServer implements Connect {
    private static final int REST_PORT = 8083;
    private static final String PLUGINS = "/opt/plugins";
    private static final String CONFIG = "/tmp/worker.properties";

    private final HttpClient http = Http.plain(Duration.ofSeconds(2));
    private final int port = Ports.free();
    private final int jmxPort = Ports.free();
    private final KafkaContainer kafka;
    private final WorkerOrder order;

    ConnectContainer(ContainerNetwork network, KafkaContainer kafka, WorkerOrder order) {
        super(network, "connect", kafka.image());
        this.kafka = kafka;
        this.order = order;
    }

    @Override
    void configure(GenericContainer<?> container) {
        ContainerNetwork.publish(container, Map.of(port, REST_PORT, jmxPort, jmxPort));
        container
                .withCopyFileToContainer(MountableFile.forHostPath(order.pluginPath()), PLUGINS)
                .withCopyToContainer(Transferable.of(properties()), CONFIG)
                .withEnv("KAFKA_HEAP_OPTS", "-Xmx256m")
                .withEnv("KAFKA_JVM_PERFORMANCE_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
                .withEnv("KAFKA_JMX_OPTS", jmxOptions())
                .withEnv(order.environment())
                .withCommand("/opt/kafka/bin/connect-distributed.sh", CONFIG);
    }

    private String properties() {
        Properties properties = new Properties();
        properties.putAll(ConnectWorker.forTests("connect"));
        properties.put("bootstrap.servers", kafka.innerServers());
        properties.put("listeners", "http://0.0.0.0:" + REST_PORT);
        properties.put("rest.advertised.host.name", alias());
        properties.put("plugin.path", PLUGINS);
        properties.putAll(order.properties());
        StringWriter text = new StringWriter();
        try {
            properties.store(text, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** Publishes the JMX port under its own number, because RMI tells clients the server's port number. */
    private String jmxOptions() {
        String option = "-Dcom.sun.management.jmxremote.";
        return option + "port=" + jmxPort + " " + option + "rmi.port=" + jmxPort + " " + option + "authenticate=false "
                + option + "ssl=false -Djava.rmi.server.hostname=" + ContainerNetwork.host();
    }

    @Override
    public URI restUri() {
        return URI.create("http://" + ContainerNetwork.host() + ":" + port);
    }

    @Override
    public JMXServiceURL jmxUrl() {
        return Connect.jmxUrl(ContainerNetwork.host(), jmxPort);
    }

    @Override
    public String writeFile(String name, String text) {
        String path = "/tmp/" + name;
        write(path, text);
        return path;
    }

    @Override
    boolean isReady() {
        return Http.status(http, restUri().resolve("/health"), Map.of()) == 200;
    }
}
