package io.tidegate.connect.elasticsearch.client.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import co.elastic.clients.util.BinaryData;
import io.tidegate.connect.elasticsearch.client.ConnectionCounts;
import io.tidegate.connect.elasticsearch.client.ElasticsearchClient;
import io.tidegate.connect.elasticsearch.client.PendingResponse;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.client.Server;
import io.tidegate.connect.elasticsearch.client.tls.CertificateExpiry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class SimulatingClientTest {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final String BULK = """
            {"index":{"_index":"i","_id":"a"}}
            {"n":1}
            {"delete":{"_index":"i","_id":"b"}}
            {"update":{"_index":"i","_id":"c"}}
            {"doc":{"n":3},"doc_as_upsert":true}
            """;

    @Test
    void turnsABulkRequestIntoASimulation() throws Exception {
        FakeServer server = new FakeServer("8.19.0", """
                200 {"docs":[{"doc":{"_index":"i","_source":{"error":1},"executed_pipelines":[]}},\
                {"doc":{"error":{"type":"t","reason":"r"},"ignored_fields":[{"field":"x"}]}}]}""");
        SimulatingClient client = new SimulatingClient(server, SOON);

        assertThat(bulk(client))
                .isEqualTo("{\"errors\":true,\"items\":[{\"index\":{\"status\":200}},{\"delete\":{\"status\":200}},"
                        + "{\"update\":{\"status\":400,\"error\":{\"type\":\"t\",\"reason\":\"r\"}}}]}");
        assertThat(server.requests)
                .containsExactly(
                        "POST /_ingest/_simulate {\"docs\":[{\"_index\":\"i\",\"_id\":\"a\",\"_source\":{\"n\":1}},"
                                + "{\"_index\":\"i\",\"_id\":\"c\",\"_source\":{\"n\":3}}]}");
        assertThat(client.changes("{\"n\":1}")).isEmpty();
        assertThat(client.changes("{\"n\":3}")).hasToString("{ignored_fields=[{\"field\":\"x\"}]}");
        assertThat(client.limits()).singleElement().asString().startsWith("Elasticsearch simulated the requests");
    }

    @Test
    void asksForEachDocumentAloneWhenTheRequestIsRefused() throws Exception {
        String refusal = "400 {\"error\":{\"type\":\"x_content_parse_exception\",\"reason\":\"twice\"}}";
        FakeServer server = new FakeServer("9.1.0", refusal, refusal, "200 {\"docs\":[{\"doc\":{}}]}");

        assertThat(bulk(new SimulatingClient(server, SOON)))
                .contains(
                        "{\"index\":{\"status\":400,\"error\":{\"type\":\"x_content_parse_exception\",\"reason\":\"twice\"}}}")
                .contains("{\"update\":{\"status\":200}}");
        assertThat(server.requests).hasSize(3);
    }

    @Test
    void saysThatAnOlderServerOrAUserWithoutThePrivilegeIsNotAsked() throws Exception {
        for (String refusal : List.of(
                "400 {\"error\":\"no handler found for uri [/_ingest/_simulate] and method [POST]\"}",
                "403 {\"error\":{\"type\":\"security_exception\",\"reason\":\"unauthorized\"}}")) {
            SimulatingClient client = new SimulatingClient(new FakeServer("7.17.0", refusal), SOON);

            assertThat(bulk(client)).doesNotContain("400");
            assertThat(client.limits())
                    .singleElement()
                    .asString()
                    .startsWith("Elasticsearch did not simulate the requests, so it was not asked about the documents");
        }
    }

    @Test
    void saysThatAServerDoesNotCheckMappings() throws Exception {
        SimulatingClient client =
                new SimulatingClient(new FakeServer("8.14.3", "200 {\"docs\":[{\"doc\":{}},{\"doc\":{}}]}"), SOON);

        assertThat(bulk(client)).doesNotContain("400");
        assertThat(client.limits())
                .anyMatch(limit -> limit.contains("8.14.3 runs pipelines in a simulation, but may not"));
    }

    @Test
    void sendsNothingElseThatChangesTheServer() throws Exception {
        FakeServer server = new FakeServer("8.19.0", "200 {}");
        SimulatingClient client = new SimulatingClient(server, SOON);

        assertThat(client.send(Request.of("PUT", "/i")).await(SOON).isSuccess()).isTrue();
        assertThat(server.requests).isEmpty();
        assertThat(client.limits()).singleElement().asString().contains("PUT /i, which was not sent");
        assertThat(client.send(Request.of("HEAD", "/i")).await(SOON).isSuccess())
                .isTrue();
        assertThat(server.requests).containsExactly("HEAD /i ");
    }

    private static String bulk(SimulatingClient client) throws Exception {
        Request request = Request.of("POST", "/_bulk", BinaryData.of(BULK.getBytes(UTF_8), "application/x-ndjson"));
        return new String(client.send(request).await(SOON).content().readAllBytes(), UTF_8);
    }

    /** Answers one request after another with a status and a body. */
    private static final class FakeServer implements ElasticsearchClient {
        private final List<String> requests = new ArrayList<>();
        private final String version;
        private final String[] answers;

        FakeServer(String version, String... answers) {
            this.version = version;
            this.answers = answers;
        }

        @Override
        public PendingResponse send(Request request) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            try {
                if (request.body().isPresent()) {
                    request.body().get().writeTo(body);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            String[] answer = answers[requests.size()].split(" ", 2);
            requests.add(request.method() + " " + request.path() + " " + body.toString(UTF_8));
            return new PendingResponse(
                    CompletableFuture.completedFuture(new Response(
                            Integer.parseInt(answer[0]),
                            Optional.empty(),
                            true,
                            new ByteArrayInputStream(answer[1].getBytes(UTF_8)))),
                    () -> {});
        }

        @Override
        public Optional<Server> server() {
            return Optional.of(new Server(Server.Product.ELASTICSEARCH, version));
        }

        @Override
        public PendingResponse askForServer() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean learn(Response root) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ConnectionCounts connections() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CertificateExpiry certificates() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
