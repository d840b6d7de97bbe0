package io.tidegate.connect.bench.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.elasticsearch.SearchServer;
import io.tidegate.connect.testkit.net.Certificates;
import io.tidegate.connect.testkit.net.Http;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/**
 * Sends {@code _bulk} requests with the operations, ids and timestamps of a sink with the same configuration.
 * Elasticsearch looks each id up before it writes, which automatic ids would save it.
 */
public final class RawBulk implements RawWriter {
    /** The name of the index. */
    public static final String INDEX = "bench";

    private static final int PARTITIONS = 4;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final String ERRORS = "\"errors\":false";

    /** About as many records as a producer sends in the same millisecond. */
    private static final int RECORDS_PER_MILLI = 200;

    private final String label;
    private final SearchServer node;
    private final RawRecords records;
    private final Ids ids;
    private final String method;
    private final boolean addsTimestamp;
    private final long start = System.currentTimeMillis();

    /** Where ids come from. */
    private enum Ids {
        COORDINATES(""),
        KEYS(", ids from keys"),
        AUTOMATIC(", automatic ids"),
        /** A template makes them, which a raw client cannot. */
        TEMPLATE("");

        private final String label;

        Ids(String label) {
            this.label = label;
        }

        /** As the Elasticsearch sink reads its settings. */
        static Ids of(Map<String, String> config) {
            boolean ignoresKeys = config.getOrDefault("key.ignore", "false").equals("true");
            return switch (config.getOrDefault("document.id", "auto")) {
                case "auto" -> ignoresKeys ? COORDINATES : KEYS;
                case "key" -> KEYS;
                case "coordinates" -> COORDINATES;
                case "none" -> AUTOMATIC;
                default -> TEMPLATE;
            };
        }
    }

    /** Whether a sink with this configuration makes ids of keys. Fails if it makes them of a template. */
    public static boolean needsKeys(Map<String, String> config) throws ToolException {
        Ids ids = Ids.of(config);
        if (ids == Ids.TEMPLATE) {
            throw new ToolException("--raw-client does not support document.id=" + config.get("document.id"));
        }
        return ids == Ids.KEYS;
    }

    public RawBulk(String label, SearchServer node, RawRecords records) {
        this.node = node;
        this.records = records;
        ids = Ids.of(records.config());
        method = records.config().getOrDefault("write.method", "index");
        addsTimestamp = records.config().getOrDefault("metadata.fields", "").contains("@timestamp");
        this.label = label + (method.equals("index") ? "" : " " + method) + ids.label;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public int batch() {
        return records.batch();
    }

    byte[] body(long from, int rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean merges = method.equals("upsert");
        byte[] action = ("{\"" + (merges ? "update" : method) + "\":{").getBytes(UTF_8);
        byte[] before = (merges ? "{\"doc\":" : "").getBytes(UTF_8);
        byte[] after = (merges ? ",\"doc_as_upsert\":true}\n" : "\n").getBytes(UTF_8);
        for (long number = from; number < from + rows; number++) {
            bytes.writeBytes(action);
            bytes.writeBytes((ids == Ids.AUTOMATIC ? "}}\n" : "\"_id\":\"" + id(number) + "\"}}\n").getBytes(UTF_8));
            bytes.writeBytes(before);
            byte[] value = records.value(number);
            if (addsTimestamp) {
                Instant time = Instant.ofEpochMilli(start + number / RECORDS_PER_MILLI);
                bytes.writeBytes(("{\"@timestamp\":\"" + time + "\",").getBytes(UTF_8));
                bytes.write(value, 1, value.length - 1);
            } else {
                bytes.writeBytes(value);
            }
            bytes.writeBytes(after);
        }
        return bytes.toByteArray();
    }

    private String id(long number) {
        return ids == Ids.KEYS ? new String(records.keys().get((int) number), UTF_8) : coordinates(number);
    }

    /** The id that a sink makes of a record's coordinates. */
    public static String coordinates(long number) {
        return INDEX + '+' + number % PARTITIONS + '+' + number / PARTITIONS;
    }

    @Override
    public Session open() throws Exception {
        URI uri = node.url().resolve("/" + INDEX + "/_bulk?filter_path=errors");
        HttpRequest.Builder common = HttpRequest.newBuilder(uri).header("Content-Type", "application/x-ndjson");
        HttpClient client = Http.plain(CONNECT);
        if (node instanceof Elasticsearch secure) {
            client = Http.secure(Certificates.trusting(secure.caCertificate()), CONNECT);
            byte[] credentials = (secure.username() + ":" + secure.password()).getBytes(UTF_8);
            common.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
        }
        return session(client, common);
    }

    private Session session(HttpClient client, HttpRequest.Builder common) {
        return new Session() {
            @Override
            public void write(long from, int rows) throws Exception {
                HttpRequest request = common.copy()
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
