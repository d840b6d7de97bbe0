package io.tidegate.connect.testkit.containers;

import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.process.Ports;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import org.testcontainers.containers.GenericContainer;

/** A proxy between a worker and its stores. Tests use it to make connections fail. */
final class Toxiproxy extends ContainerServer {
    static final String ALIAS = "toxiproxy";
    private static final int CONTROL_PORT = 8474;

    private final HttpClient http = Http.plain(Duration.ofSeconds(2));
    private final int port = Ports.free();

    Toxiproxy(ContainerNetwork network) {
        super(network, ALIAS, Images.official(ALIAS));
    }

    @Override
    void configure(GenericContainer<?> container) {
        ContainerNetwork.publish(container, Map.of(port, CONTROL_PORT));
    }

    @Override
    boolean isReady() {
        return Http.status(http, control("/version"), Map.of()) == 200;
    }

    private URI control(String path) {
        return URI.create("http://" + ContainerNetwork.host() + ":" + port + path);
    }

    /** Forwards connections on this port to the same port of another container. */
    void forward(String alias, int port) {
        post("/proxies", """
                {"name": "%s", "listen": "0.0.0.0:%d", "upstream": "%s:%d", "enabled": true}
                """.formatted(alias, port, alias, port));
    }

    private void post(String path, String json) {
        Http.exchange(http, "POST", control(path), Map.of(), json);
    }
}
