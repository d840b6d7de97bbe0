package io.tidegate.connect.harness.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.net.Certificates;
import io.tidegate.connect.testkit.net.Http;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/**
 * Sends {@code _bulk} requests with ids like those that a sink makes of coordinates. Elasticsearch looks each up before
 * it writes, which automatic ids would save it.
 */
public final class RawBulk implements RawWriter {
    /** The name of the index. */
    public static final String INDEX = "bench";

    private static final int PARTITIONS = 4;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final String ERRORS = "\"errors\":false";

    private final String label;
    private final ElasticsearchNode node;
    private final List<byte[]> values;

    public RawBulk(String label, ElasticsearchNode node, List<byte[]> values) {
        this.label = label;
        this.node = node;
        this.values = List.copyOf(values);
    }

    @Override
    public String label() {
        return label;
    }

    private byte[] body(long from, int rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (long number = from; number < from + rows; number++) {
            String id = INDEX + '+' + number % PARTITIONS + '+' + number / PARTITIONS;
            bytes.writeBytes(("{\"index\":{\"_id\":\"" + id + "\"}}\n").getBytes(UTF_8));
            bytes.writeBytes(values.get((int) (number % values.size())));
            bytes.write('\n');
        }
        return bytes.toByteArray();
    }

    @Override
    public Session open() throws Exception {
        HttpClient client = Http.secure(Certificates.trusting(node.caCertificate()), CONNECT);
        URI uri = node.url().resolve("/" + INDEX + "/_bulk?filter_path=errors");
        String credentials =
                Base64.getEncoder().encodeToString((node.username() + ":" + node.password()).getBytes(UTF_8));
        return new Session() {
            @Override
            public void write(long from, int rows) throws Exception {
                HttpRequest request = HttpRequest.newBuilder(uri)
                        .header("Content-Type", "application/x-ndjson")
                        .header("Authorization", "Basic " + credentials)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body(from, rows)))
                        .build();
                String answer = client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body();
                if (!answer.contains(ERRORS)) {
                    throw new IOException("raw _bulk: " + answer);
                }
            }

            @Override
            public void close() {
                // The client's threads end when it is no longer used.
            }
        };
    }
}
