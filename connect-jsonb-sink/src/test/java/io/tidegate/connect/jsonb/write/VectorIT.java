package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.testkit.postgres.PgVector;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Skip;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields in columns of pgvector's types, on a real PostgreSQL with that extension. Skipped, and said so, without one. */
final class VectorIT {
    private static PostgresServer server;
    private static PostgresStore store;
    private static int tables;

    @BeforeAll
    static void start() {
        if (!PgVector.isInstalled()) {
            Skip.loudly(VectorIT.class, PgVector.NOT_INSTALLED);
        }
        server = PostgresServer.builder()
                .fastStart()
                .withVectors()
                .setting("log_statement", "all")
                .build();
        server.start();
        store = new PostgresStore(server);
        store.execute("CREATE SCHEMA ext");
        store.execute("CREATE EXTENSION vector SCHEMA ext");
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
        }
    }

    private static String newTable(String columns) {
        String table = "vectors" + tables++;
        store.execute("CREATE TABLE " + table + " (" + columns + ")");
        return '"' + table + '"';
    }

    private static Map<Long, RefusedException> deliver(String settings, Document... documents) {
        return DeliveredDocuments.refusals(
                store.connected(Props.of("columns.from.fields=known " + settings)), List.of(documents));
    }

    private static List<String> rows(String table) {
        return store.column("SELECT row_to_json(t)::text FROM " + table + " AS t ORDER BY n");
    }

    private static boolean wasCopied(String table) throws IOException {
        try (Stream<String> lines = Files.lines(server.log())) {
            return lines.anyMatch(line -> line.contains(": COPY " + table + " "));
        }
    }

    @ParameterizedTest
    @CsvSource({"copy, true", "auto, false", "unnest, false", "values, false"})
    void vectorsGoIntoTheirColumns(String method, boolean isCopied) throws IOException {
        String table = newTable("n int, v ext.vector(3), h ext.halfvec(2), w ext.vector, doc jsonb");

        assertThat(deliver(
                        "insert.method=" + method,
                        Documents.append(
                                1, table, "{\"n\": 1, \"v\": [1, -0.5, 1e-3], \"h\": [0.1, 65504], \"w\": [7]}"),
                        Documents.append(2, table, "{\"n\": 2, \"v\": \"[1,2,3]\", \"h\": null, \"x\": [1]}")))
                .isEmpty();

        assertThat(rows(table))
                .containsExactly(
                        "{\"n\":1,\"v\":\"[1,-0.5,0.001]\",\"h\":\"[0.099975586,65504]\",\"w\":\"[7]\",\"doc\":null}",
                        "{\"n\":2,\"v\":\"[1,2,3]\",\"h\":null,\"w\":null,\"doc\":{\"x\": [1]}}");
        assertThat(wasCopied(table)).isEqualTo(isCopied);
    }

    /** The server is the oracle: it reads the same text in an expression. */
    @ParameterizedTest
    @ValueSource(strings = {"copy", "unnest"})
    void eachElementHasTheBitsThatTheServerReads(String method) throws IOException {
        String table = newTable("n int, v ext.vector(768), text text");
        Random random = new Random(768);
        List<Document> documents = new ArrayList<>();
        for (int n = 0; n < 200; n++) {
            StringBuilder vector = new StringBuilder();
            for (int i = 0; i < 768; i++) {
                vector.append(i == 0 ? "[" : ", ").append(random.nextGaussian() / 30);
            }
            documents.add(Documents.append(
                    n, table, "{\"n\": %d, \"v\": %s], \"text\": \"%s]\"}".formatted(n, vector, vector)));
        }

        assertThat(deliver("unknown.fields=refuse insert.method=" + method, documents.toArray(Document[]::new)))
                .isEmpty();

        assertThat(store.column("SELECT count(*) FILTER (WHERE ext.vector_send(v) = ext.vector_send(text::ext.vector))"
                        + " || ' of ' || count(*) FROM " + table))
                .containsExactly("200 of 200");
        assertThat(wasCopied(table)).isEqualTo(method.equals("copy"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"vector(3) | [1, -0.1, 1e-3]", "halfvec(2) | [0.1, 65.0]", "vector | [70000.5, 1]"})
    void aRowIsKnownWhoseVectorGotAColumnAfterIt(String type, String vector) {
        String table = newTable("__connect_topic text, __connect_partition int, __connect_offset bigint, doc jsonb,"
                + " UNIQUE (__connect_topic, __connect_partition, __connect_offset)");
        Document document = Documents.append(1, table, "{\"v\": " + vector + ", \"g\": 1}");
        assertThat(deliver("metadata.columns=topic,partition,offset", document)).isEmpty();
        store.execute("ALTER TABLE " + table + " ADD v ext." + type);

        assertThat(deliver("metadata.columns=topic,partition,offset", document)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "auto", "values"})
    void aVectorThatDoesNotFitIsThatRecordsFault(String method) {
        String table = newTable("n int, v ext.vector(2), doc jsonb");

        Map<Long, RefusedException> refused = deliver(
                "insert.method=" + method,
                Documents.append(1, table, "{\"n\": 1, \"v\": [1, 2]}"),
                Documents.append(2, table, "{\"n\": 2, \"v\": [1, 2, 3]}"),
                Documents.append(3, table, "{\"n\": 3, \"v\": [1, null]}"),
                Documents.append(4, table, "{\"n\": 4, \"v\": []}"),
                Documents.append(5, table, "{\"n\": 5, \"v\": [1e300, 1]}"),
                Documents.append(6, table, "{\"n\": 6, \"v\": {\"a\": 1}}"),
                Documents.append(7, table, "{\"n\": 7, \"v\": [3, 4]}"));

        assertThat(refused).containsOnlyKeys(2L, 3L, 4L, 5L, 6L);
        assertThat(refused.get(2L)).hasMessageContaining("expected 2 dimensions, not 3");
        assertThat(rows(table))
                .containsExactly("{\"n\":1,\"v\":\"[1,2]\",\"doc\":null}", "{\"n\":7,\"v\":\"[3,4]\",\"doc\":null}");
    }

    @Test
    void anUpsertReplacesAVectorAndARedeliveryIsTheSame() {
        String table = newTable("id text PRIMARY KEY, n int, v ext.vector(2), doc jsonb");
        String keyed = "pk.mode=record_key pk.fields=id ";

        assertThat(deliver(
                        keyed + "insert.mode=upsert",
                        Documents.write(1, table, "a", "{\"n\": 1, \"v\": [1, 2]}"),
                        Documents.write(2, table, "b", "{\"n\": 2, \"v\": [0.1, 2]}")))
                .isEmpty();
        assertThat(deliver(keyed + "insert.mode=upsert", Documents.write(3, table, "a", "{\"n\": 3, \"v\": [3, 4]}")))
                .isEmpty();
        assertThat(deliver(
                        keyed + "insert.mode=insert", Documents.write(2, table, "b", "{\"n\": 2, \"v\": [1e-1, 2.0]}")))
                .isEmpty();

        assertThat(rows(table))
                .containsExactly(
                        "{\"id\":\"b\",\"n\":2,\"v\":\"[0.1,2]\",\"doc\":null}",
                        "{\"id\":\"a\",\"n\":3,\"v\":\"[3,4]\",\"doc\":null}");
    }

    @Test
    void anotherTypeOfThatNameIsReadByTheServer() throws IOException {
        store.execute("CREATE TYPE vector AS (a int, b int)");
        String table = newTable("n int, v vector, doc jsonb");

        assertThat(deliver("insert.method=copy", Documents.append(1, table, "{\"n\": 1, \"v\": \"(1,2)\"}")))
                .isEmpty();

        assertThat(rows(table)).containsExactly("{\"n\":1,\"v\":{\"a\":1,\"b\":2},\"doc\":null}");
        assertThat(wasCopied(table)).isFalse();
    }
}
