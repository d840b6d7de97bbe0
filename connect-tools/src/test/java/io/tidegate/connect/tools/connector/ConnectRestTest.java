package io.tidegate.connect.tools.connector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ConnectRestTest {
    private final List<String> requests = new ArrayList<>();
    private HttpServer server;
    private int status = 200;
    private String answer =
            "{\"connector.class\":\"JsonbSink\",\"name\":\"a tide\",\"connection.password\":\"${env:P}\"}";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::respond);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void respond(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath();
        requests.add(exchange.getRequestMethod() + " " + path + " "
                + exchange.getRequestHeaders().getFirst("Authorization"));
        boolean isList = path.endsWith("/connectors");
        byte[] body = (isList ? "[\"tides\"]" : answer).getBytes(UTF_8);
        exchange.sendResponseHeaders(isList ? 200 : status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private ConnectorFile read(String url, Optional<String> user) throws ToolException, InterruptedException {
        return new ConnectRest(URI.create(url), user, "secret").connector("a tide");
    }

    @Test
    void readsTheSettingsAsConnectHasThem() throws Exception {
        ConnectorFile connector = read(url() + "/connect/", Optional.of("me"));
        assertThat(connector.name()).isEqualTo("a tide");
        assertThat(connector.config()).containsEntry("connection.password", "${env:P}");
        assertThat(requests).containsExactly("GET /connect/connectors/a%20tide/config Basic bWU6c2VjcmV0");
    }

    @Test
    void namesTheConnectorsThatThereAre() {
        status = 404;
        assertThatThrownBy(() -> read(url(), Optional.empty()))
                .hasMessage("Connect at " + url() + " has no connector a tide. It has [\"tides\"]");
        assertThat(requests).first().asString().endsWith(" null");
    }

    @Test
    void saysWhatToDoAboutAnError() {
        status = 401;
        assertThatThrownBy(() -> read(url(), Optional.empty()))
                .hasMessage("Connect at " + url() + " answers with status 401: use --connect-user and"
                        + " --connect-password, or the variable TIDEGATE_CONNECT_PASSWORD");
        status = 409;
        assertThatThrownBy(() -> read(url(), Optional.empty())).hasMessageEndingWith("rebalanced. Try again");
        status = 200;
        answer = "<html>";
        assertThatThrownBy(() -> read(url(), Optional.empty()))
                .hasMessageStartingWith("the answer of Connect at " + url() + " is not JSON");
    }

    @Test
    void refusesAPasswordInTheAddressAndNamesItNowhere() {
        assertThatThrownBy(() -> read("http://me:hidden@localhost:1", Optional.empty()))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("--connect-user")
                .hasMessageNotContaining("hidden");
    }
}
