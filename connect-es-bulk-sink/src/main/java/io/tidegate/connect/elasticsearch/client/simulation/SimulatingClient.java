package io.tidegate.connect.elasticsearch.client.simulation;

import static java.util.Objects.requireNonNull;

import co.elastic.clients.util.BinaryData;
import io.tidegate.connect.elasticsearch.client.ConnectionCounts;
import io.tidegate.connect.elasticsearch.client.ElasticsearchClient;
import io.tidegate.connect.elasticsearch.client.HttpStatus;
import io.tidegate.connect.elasticsearch.client.PendingResponse;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.client.Server;
import io.tidegate.connect.elasticsearch.client.ServerError;
import io.tidegate.connect.elasticsearch.client.TransportException;
import io.tidegate.connect.elasticsearch.client.tls.CertificateExpiry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A client that changes nothing: a bulk request becomes a simulation, whose answer looks like that of a bulk request.
 * Other requests that would change something are answered with success and not sent. One thread uses it.
 *
 * <p>Source: Elasticsearch's documentation of "Simulate data ingestion" ({@code _ingest/_simulate}), which runs the
 * pipelines and, from 8.17 on, checks each document against the mapping that its index has or would get.
 */
public final class SimulatingClient implements ElasticsearchClient {
    private static final String JSON_TYPE = "application/json";
    private static final String BULK = "/_bulk";
    private static final String SIMULATE = "/_ingest/_simulate";
    private static final int MOST = 100; // documents in a request

    private final ElasticsearchClient client;
    private final Duration limit;
    private final Set<String> limits = new LinkedHashSet<>();
    private final Map<String, Map<String, Object>> changes = new HashMap<>(); // by source

    /**
     * A client.
     *
     * @param client stays open
     * @param limit for each simulation
     */
    public SimulatingClient(ElasticsearchClient client, Duration limit) {
        this.client = requireNonNull(client, "client");
        this.limit = requireNonNull(limit, "limit");
    }

    /** What was not asked; each is a sentence. */
    public List<String> limits() {
        return List.copyOf(limits);
    }

    /** How pipelines and the mapping change the document with this source: JSON by the server's own names. */
    public Map<String, Object> changes(String source) {
        return changes.getOrDefault(source, Map.of());
    }

    @Override
    public PendingResponse send(Request request) {
        boolean isReading = request.method().equals("GET") || request.method().equals("HEAD");
        if (isReading) {
            return client.send(request);
        }
        CompletableFuture<Response> answer = new CompletableFuture<>();
        try {
            answer.complete(
                    request.path().equals(BULK)
                            ? simulated(request)
                            : skipped(request.method() + " " + request.path()));
        } catch (IOException e) {
            answer.completeExceptionally(e);
        } catch (TransportException e) {
            answer.completeExceptionally(e.getCause());
        }
        return new PendingResponse(answer, () -> answer.cancel(true));
    }

    private Response skipped(String what) {
        limits.add("The real run also sends " + what + ", which was not sent: documents were checked against the index"
                + " and templates as they are now.");
        return response(HttpStatus.OK, "{}");
    }

    private Response simulated(Request bulk) throws IOException, TransportException {
        if (server().map(Server::product).orElse(Server.Product.ELASTICSEARCH) == Server.Product.OPENSEARCH) {
            limits.add("OpenSearch has no simulation that checks mappings: it was not asked about the documents.");
            return response(HttpStatus.OK, BulkItem.answer(BulkItem.of(bulk), Map.of()));
        }
        List<BulkItem> items = BulkItem.of(bulk);
        Map<BulkItem, String> errors = new HashMap<>();
        for (List<BulkItem> group : groups(items)) {
            String pipeline = group.get(0).pipeline();
            simulate(group, pipeline.isEmpty() ? bulk.parameters().getOrDefault("pipeline", "") : pipeline, errors);
        }
        return response(HttpStatus.OK, BulkItem.answer(items, errors));
    }

    /** Items with a source, in their order, and those of a request with the same pipeline. */
    private static List<List<BulkItem>> groups(List<BulkItem> items) {
        List<List<BulkItem>> groups = new ArrayList<>();
        for (BulkItem item : items) {
            if (item.source().isEmpty()) {
                continue;
            }
            List<BulkItem> last = groups.isEmpty() ? List.of() : groups.get(groups.size() - 1);
            if (last.isEmpty() || last.size() == MOST || !last.get(0).pipeline().equals(item.pipeline())) {
                last = new ArrayList<>();
                groups.add(last);
            }
            last.add(item);
        }
        return groups;
    }

    /** The server reads a whole request before all else, so one bad document would hide the others: each is then alone. */
    private void simulate(List<BulkItem> group, String pipeline, Map<BulkItem, String> errors)
            throws IOException, TransportException {
        BinaryData body = BinaryData.of(Simulation.request(group).getBytes(StandardCharsets.UTF_8), JSON_TYPE);
        Map<String, String> parameters = pipeline.isEmpty() ? Map.of() : Map.of("pipeline", pipeline);
        Response response = client.send(new Request("POST", SIMULATE, parameters, Optional.of(body), false))
                .await(limit);
        byte[] content = response.content().readAllBytes();
        if (response.isSuccess()) {
            accept(group, Simulation.read(content), errors);
            return;
        }
        ServerError error = ServerError.read(new ByteArrayInputStream(content));
        // An older server, which does not know the simulation, gives no code.
        boolean isOfDocument =
                response.status() == HttpStatus.BAD_REQUEST && !error.type().isEmpty();
        if (isOfDocument && group.size() > 1) {
            for (BulkItem item : group) {
                simulate(List.of(item), pipeline, errors);
            }
        } else if (isOfDocument) {
            errors.put(group.get(0), Simulation.error(content));
        } else {
            limits.add("Elasticsearch did not simulate the requests, so it was not asked about the documents: status "
                    + response.status() + ", " + error + ".");
        }
    }

    private void accept(List<BulkItem> group, List<Simulation> simulated, Map<BulkItem, String> errors)
            throws IOException {
        if (simulated.size() != group.size()) {
            throw new IOException(
                    "the answer to a simulation of " + group.size() + " documents tells of " + simulated.size());
        }
        for (int i = 0; i < group.size(); i++) {
            BulkItem item = group.get(i);
            simulated.get(i).error().ifPresent(error -> errors.put(item, error));
            changes.put(item.source().orElseThrow(), simulated.get(i).changes());
        }
        limits.add("Elasticsearch simulated the requests, each document alone and against the mapping as it is now: a"
                + " field that an earlier record would add to the mapping is not known to later ones. It did not"
                + " compare versions or look for existing ids, and deletions were not checked.");
        String version = server().map(Server::version).orElse("");
        if (version.matches("8\\.1?\\d\\..*") && !version.matches("8\\.1[7-9]\\..*")) {
            limits.add(
                    "Elasticsearch " + version + " runs pipelines in a simulation, but may not check documents against"
                            + " the mapping: 8.17 and later do.");
        }
    }

    private static Response response(int status, String json) {
        return new Response(
                status, Optional.empty(), true, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public PendingResponse askForServer() {
        return client.askForServer();
    }

    @Override
    public boolean learn(Response root) {
        return client.learn(root);
    }

    @Override
    public Optional<Server> server() {
        return client.server();
    }

    @Override
    public boolean forgetCredentials() {
        return client.forgetCredentials();
    }

    @Override
    public ConnectionCounts connections() {
        return client.connections();
    }

    @Override
    public CertificateExpiry certificates() {
        return client.certificates();
    }

    @Override
    public void close() {
        // The client belongs to the target.
    }
}
