package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What fields in typed columns cost beside the same documents as {@code jsonb}, on demand, as {@link WritePathsBenchmark}:
 * documents of 13 fields, or of one vector, one connection, in turns. It needs {@code -Dtidegate.tests.jvm=-Xmx1g}, because tests
 * run without the JVM's optimizing compiler. No build runs it, and it asserts no time.
 */
final class TypedRowsBenchmark {
    private static final int ROUNDS = Integer.getInteger("typed.rows.rounds", 5);
    private static final int ROWS = Integer.getInteger("typed.rows.rows", 200_000);
    private static final int BATCH = Integer.getInteger("typed.rows.batch", 5_000);
    private static final String FIELDS =
            "station text, name text, state text, lat double precision, lng double precision,"
                    + " at timestamptz, level numeric, sigma double precision, flags text, quality text, verified boolean,"
                    + " sample integer, n bigint";

    private static final String EACH_IN_ITS_COLUMN = "columns.from.fields=known unknown.fields=refuse";
    private static final int DIMENSIONS = Integer.getInteger("typed.rows.dimensions", 768);
    private static final String VECTOR = "v vector(" + DIMENSIONS + ")";

    private PostgresServer server = PostgresServer.builder().build();

    /** How documents are stored. */
    private enum Form {
        JSONB("doc jsonb", ""),
        TYPED(FIELDS, EACH_IN_ITS_COLUMN),
        TYPED_WITH_REST(FIELDS + ", doc jsonb", "columns.from.fields=known"),
        ADDED(FIELDS + ", doc jsonb", "columns.from.fields=add"),
        VECTOR_AS_TEXT(VECTOR, EACH_IN_ITS_COLUMN + " insert.method=unnest"),
        VECTOR_IN_BINARY(VECTOR, EACH_IN_ITS_COLUMN + " insert.method=copy"),
        HALFVEC_IN_BINARY("v halfvec(" + DIMENSIONS + ")", EACH_IN_ITS_COLUMN + " insert.method=copy");

        private final String columns;
        private final String settings;

        Form(String columns, String settings) {
            this.columns = columns;
            this.settings = settings;
        }
    }

    /** What is done with the rows. */
    private enum Write {
        APPEND(""),
        NEW_KEYS("insert.mode=upsert pk.mode=record_key pk.fields=id"),
        EXISTING_KEYS("insert.mode=upsert pk.mode=record_key pk.fields=id");

        private final String settings;

        Write(String settings) {
            this.settings = settings;
        }
    }

    /** A measurement, and the size of the table after it. */
    private record Measured(WriteCost cost, double bytesPerRow) {}

    @Test
    void table() throws Exception {
        compare(
                List.of(Write.values()),
                List.of(Form.JSONB, Form.TYPED, Form.TYPED_WITH_REST, Form.ADDED),
                TypedRowsBenchmark::reading);
    }

    /** On a server that has pgvector. */
    @Test
    void vectors() throws Exception {
        server = PostgresServer.builder().withVectors().build();
        compare(
                List.of(Write.APPEND),
                List.of(Form.JSONB, Form.VECTOR_AS_TEXT, Form.VECTOR_IN_BINARY, Form.HALFVEC_IN_BINARY),
                TypedRowsBenchmark::vector);
    }

    private void compare(List<Write> writes, List<Form> forms, BiFunction<Integer, Random, String> json)
            throws Exception {
        server.start();
        try {
            if (forms.contains(Form.VECTOR_AS_TEXT)) {
                execute("CREATE EXTENSION vector");
            }
            List<List<Document>> batches = batches(json);
            System.out.printf(
                    "%d documents of %d bytes, %d rows a batch, medians of %d rounds%n",
                    ROWS, batches.get(0).get(0).json().length(), BATCH, ROUNDS);
            System.out.println("| write | form | rows/s | server us/row | client us/row | bytes/row |");
            System.out.println("|---|---|---|---|---|---|");
            for (Write write : writes) {
                Map<Form, List<Measured>> measured = new HashMap<>();
                for (int round = -1; round < ROUNDS; round++) {
                    for (Form form : forms) {
                        Measured each = measure(write, form, batches);
                        if (round >= 0) {
                            measured.computeIfAbsent(form, none -> new ArrayList<>())
                                    .add(each);
                        }
                    }
                }
                for (Form form : forms) {
                    print(write, form, measured);
                }
            }
        } finally {
            server.close();
        }
    }

    private static void print(Write write, Form form, Map<Form, List<Measured>> measured) {
        System.out.printf(
                "| %s | %s | %s | %s | %s | %s |%n",
                write,
                form,
                cell(measured, form, each -> each.cost().rowsPerSecond()),
                cell(measured, form, each -> each.cost().serverMicrosPerRow()),
                cell(measured, form, each -> each.cost().clientMicrosPerRow()),
                cell(measured, form, Measured::bytesPerRow));
    }

    /** The median, its range, and its ratio to that of {@code jsonb}. */
    private static String cell(Map<Form, List<Measured>> measured, Form form, ToDoubleFunction<Measured> value) {
        List<Double> sorted = sorted(measured.get(form), value);
        double median = sorted.get(sorted.size() / 2);
        List<Double> ofJsonb = sorted(measured.get(Form.JSONB), value);
        return String.format(
                Locale.ROOT,
                "%,.2f (%,.2f to %,.2f), x%.2f",
                median,
                sorted.get(0),
                sorted.get(sorted.size() - 1),
                median / ofJsonb.get(ofJsonb.size() / 2));
    }

    private static List<Double> sorted(List<Measured> measured, ToDoubleFunction<Measured> value) {
        return measured.stream().mapToDouble(value).sorted().boxed().toList();
    }

    private Measured measure(Write write, Form form, List<List<Document>> batches) throws Exception {
        Map<String, String> settings = Props.of(String.join(
                " ",
                "connection.url=" + server.jdbcUrl(),
                "connection.user=" + server.user(),
                "connection.password=" + server.password(),
                form.settings,
                write.settings));
        execute("DROP TABLE IF EXISTS readings; CREATE TABLE readings ("
                + (write == Write.APPEND ? "" : "id text PRIMARY KEY, ") + form.columns + ")");
        try (Target target = new PostgresTargetType().open(settings);
                BatchWriter writer = target.openWriter(0)) {
            writer.write(batches.get(0)); // opens the connection, and makes the statements
            if (write == Write.EXISTING_KEYS) {
                send(writer, batches);
            } else {
                execute("TRUNCATE readings");
            }
            execute("CHECKPOINT");
            Duration before = server.cpuTime();
            WriteCost.Client used = WriteCost.Client.untilNow();
            long start = System.nanoTime();
            send(writer, batches);
            WriteCost cost = new WriteCost(
                    ROWS,
                    Duration.ofNanos(System.nanoTime() - start),
                    server.cpuTime().minus(before),
                    WriteCost.Client.untilNow().minus(used));
            return new Measured(cost, (double) size() / ROWS);
        }
    }

    private static void send(BatchWriter writer, List<List<Document>> batches) throws Exception {
        for (List<Document> batch : batches) {
            if (!writer.write(batch).isEmpty()) {
                throw new IllegalStateException("a row was refused");
            }
        }
    }

    private long size() throws SQLException {
        try (Connection connection = server.connect();
                ResultSet size = connection.createStatement().executeQuery("SELECT pg_table_size('readings')")) {
            size.next();
            return size.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = server.connect()) {
            connection.createStatement().execute(sql);
        }
    }

    /** Their keys are in random order. */
    private static List<List<Document>> batches(BiFunction<Integer, Random, String> json) {
        Random random = new Random(1);
        List<Integer> order = new ArrayList<>(IntStream.range(0, ROWS).boxed().toList());
        Collections.shuffle(order, random);
        List<List<Document>> batches = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            if (i % BATCH == 0) {
                batches.add(new ArrayList<>(BATCH));
            }
            String key = Integer.toHexString(order.get(i) * 0x9E3779B1);
            batches.get(batches.size() - 1).add(Documents.write(i, "readings", key, json.apply(i, random)));
        }
        return batches;
    }

    /** As models write them: doubles between -1 and 1, most of them small. */
    private static String vector(int number, Random random) {
        return IntStream.range(0, DIMENSIONS)
                .mapToObj(i -> Double.toString(random.nextGaussian() / 30))
                .collect(Collectors.joining(",", "{\"v\":[", "]}"));
    }

    static String reading(int number, Random random) {
        String json = String.format(
                Locale.ROOT,
                "{\"station\":\"9447130\",\"name\":\"Seattle\",\"state\":\"WA\",\"lat\":47.60264,\"lng\":-122.33928,"
                        + "\"at\":\"%s\",\"level\":%.3f,\"sigma\":0.%03d,\"flags\":\"0,0,0,0\",\"quality\":\"v\","
                        + "\"verified\":true,\"sample\":%d,\"n\":%d}",
                Instant.ofEpochSecond(1_420_070_400L + number * 360L),
                random.nextDouble() * 4,
                random.nextInt(30),
                random.nextInt(200),
                number);
        return json;
    }
}
