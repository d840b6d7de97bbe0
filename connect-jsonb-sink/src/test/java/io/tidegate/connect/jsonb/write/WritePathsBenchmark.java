package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/**
 * What each way to send rows costs, on demand: {@code mvn -pl connect-jsonb-sink -am verify -Dit.test=WritePathsBenchmark
 * -Dtest=None -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false} prints a table for the
 * docs. The writers write as in a task, without Kafka; {@code \copy} is psql's text COPY of the same documents through the
 * driver. No build runs it, and it asserts no time.
 */
final class WritePathsBenchmark {
    /** The default of {@code batch.max.bytes}: no batch of a task is larger. */
    private static final int BATCH_MAX_BYTES = 8 << 20;

    private static final List<Integer> DOCUMENT_BYTES = numbers("write.paths.bytes", "200,1024,10240,1048576");
    private static final List<Integer> ROWS = numbers("write.paths.rows", "1,100,1000,5000");
    /** Over which the rows of a batch are spread; {@code \copy} always copies into the first. */
    private static final List<Integer> TABLES = numbers("write.paths.tables", "1");

    private static final List<String> METHODS = strings("write.paths.methods", "values,unnest,copy,\\copy");

    /** For properties of the URL, as {@code ?options=...}. */
    private static final String URL_SUFFIX = System.getProperty("write.paths.url", "");

    private static final String PSQL = "\\copy";

    private final PostgresServer server = PostgresServer.builder().build();

    private static List<String> strings(String property, String byDefault) {
        return List.of(System.getProperty(property, byDefault).split(",", -1));
    }

    private static List<Integer> numbers(String property, String byDefault) {
        return strings(property, byDefault).stream().map(Integer::valueOf).toList();
    }

    /** Sends a batch once. */
    private interface Sender extends AutoCloseable {
        void send(List<Document> rows) throws Exception;
    }

    @Test
    void table() throws Exception {
        server.start();
        try (Connection connection = server.connect()) {
            for (int n = 0; n < Collections.max(TABLES); n++) {
                connection.createStatement().execute("CREATE TABLE " + table(n) + " (doc jsonb NOT NULL)");
            }
            System.out.println(
                    "| document | rows a batch | tables | connections | method | rows/s | server us/row | client us/row | client bytes allocated/row |");
            System.out.println("|---|---|---|---|---|---|---|---|---|");
            for (int bytes : DOCUMENT_BYTES) {
                for (int asked : ROWS) {
                    int rows = Math.min(asked, BATCH_MAX_BYTES / bytes);
                    if (rows == asked || asked == 100 || (asked == 1_000 && rows > 100)) {
                        for (int tables : TABLES) {
                            measure(connection, bytes, rows, tables);
                        }
                    }
                }
            }
        } finally {
            server.close();
        }
    }

    private static String table(int n) {
        return n == 0 ? "bench" : "bench" + n;
    }

    private static void truncate(Connection connection, int tables) throws SQLException {
        connection
                .createStatement()
                .execute(IntStream.range(0, tables)
                        .mapToObj(WritePathsBenchmark::table)
                        .collect(Collectors.joining(", ", "TRUNCATE ", "")));
    }

    private void measure(Connection connection, int bytes, int rows, int tables) throws Exception {
        List<Document> batch = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            batch.add(Documents.append(i, table(i % tables), document(bytes, i)));
        }
        long total = total(bytes, rows);
        for (int connections = 1; connections <= 2; connections++) {
            for (String method : METHODS) {
                WriteCost unused = run(batch, total / 4, connections, method);
                truncate(connection, tables);
                WriteCost cost = run(batch, total, connections, method);
                truncate(connection, tables);
                System.out.printf(
                        "| %,d B | %d | %d | %d | %s | %s |%n", bytes, rows, tables, connections, method, cost.cells());
            }
        }
    }

    /** Enough for a second or two. */
    private static long total(int bytes, int rows) {
        long ofBytes = (200L << 20) / (bytes + 1_000L);
        return Math.max(2L * rows, rows == 1 ? Math.min(4_000, ofBytes) : ofBytes);
    }

    /** A nested object with numbers and text of this many bytes, about. */
    private static String document(int bytes, int number) {
        StringBuilder json =
                new StringBuilder("{\"n\": " + number + ", \"station\": {\"id\": \"9447130\", \"state\": \"WA\"}");
        for (int i = 0; json.length() < bytes - 40; i++) {
            json.append(", \"f").append(i).append("\": ");
            if (i % 2 == 0) {
                json.append(1.25 + i * 31 + number);
            } else {
                json.append("\"quality ")
                        .append(Integer.toHexString(i * 7919 + number))
                        .append('"');
            }
        }
        return json.append('}').toString();
    }

    private WriteCost run(List<Document> batch, long total, int connections, String method) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(connections);
        try (Target target = target(method.equals(PSQL) ? "auto" : method, connections)) {
            long batches = Math.max(1, total / connections / batch.size());
            Duration before = server.cpuTime();
            long start = System.nanoTime();
            List<Future<WriteCost.Client>> clients = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                clients.add(threads.submit(() -> send(target, method, batch, batches)));
            }
            WriteCost.Client used = new WriteCost.Client(0, 0);
            for (Future<WriteCost.Client> client : clients) {
                used = used.plus(client.get());
            }
            Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
            return new WriteCost(
                    batches * batch.size() * connections,
                    elapsed,
                    server.cpuTime().minus(before),
                    used);
        } finally {
            threads.shutdownNow();
        }
    }

    private Target target(String method, int connections) {
        return new PostgresTargetType()
                .open(Map.of(
                        "connection.url", server.jdbcUrl() + URL_SUFFIX,
                        "connection.user", server.user(),
                        "connection.password", server.password(),
                        "connection.pool.max.size", Integer.toString(connections),
                        "insert.method", method));
    }

    private WriteCost.Client send(Target target, String method, List<Document> batch, long batches) throws Exception {
        WriteCost.Client before = WriteCost.Client.untilNow();
        try (Sender sender = method.equals(PSQL) ? psql(batch) : sink(target)) {
            for (long i = 0; i < batches; i++) {
                sender.send(batch);
            }
        }
        return WriteCost.Client.untilNow().minus(before);
    }

    private static Sender sink(Target target) {
        BatchWriter writer = target.openWriter(0);
        return new Sender() {
            @Override
            public void send(List<Document> rows) throws Exception {
                writer.write(rows);
            }

            @Override
            public void close() throws Exception {
                writer.close();
            }
        };
    }

    /** Text with backslashes doubled, prepared before. */
    private Sender psql(List<Document> batch) throws Exception {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (Document row : batch) {
            for (byte b : row.json().bytes()) {
                if (b == '\\') {
                    lines.write(b);
                }
                lines.write(b);
            }
            lines.write('\n');
        }
        byte[] text = lines.toByteArray();
        Connection connection = server.connect();
        return new Sender() {
            @Override
            public void send(List<Document> rows) throws Exception {
                long unused = connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("COPY bench (doc) FROM STDIN", new ByteArrayInputStream(text), 1 << 16);
            }

            @Override
            public void close() throws Exception {
                connection.close();
            }
        };
    }
}
