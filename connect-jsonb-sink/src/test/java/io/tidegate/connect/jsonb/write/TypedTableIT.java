package io.tidegate.connect.jsonb.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.jsonb.StartedTask;
import io.tidegate.connect.jsonb.sql.EarlierRow;
import io.tidegate.connect.jsonb.sql.TableLookUp;
import io.tidegate.connect.jsonb.sql.TableShape;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields in columns of their names, on a real PostgreSQL. */
final class TypedTableIT {
    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().setting("log_statement", "all").build();
    private static final PostgresStore STORE = new PostgresStore(SERVER);
    private static int tables;

    @BeforeAll
    static void start() {
        SERVER.start();
        STORE.execute("CREATE TYPE mood AS ENUM ('calm', 'rough')");
        STORE.execute("CREATE TABLE replaced (row json)");
        STORE.execute("CREATE DOMAIN short AS varchar(5) CHECK (value <> 'bad')");
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    private static String newTable(String columns) {
        String table = "typed" + tables++;
        STORE.execute("CREATE TABLE " + table + " (" + columns + ")");
        return '"' + table + '"';
    }

    private static Map<String, String> settings(String... more) {
        return STORE.connected(Props.of("columns.from.fields=known " + String.join(" ", more)));
    }

    /** The statements that were sent for a table. A server that takes none with a check of the table gets plainer ones. */
    private static List<String> sent(String table) throws IOException {
        try (Stream<String> lines = Files.lines(SERVER.log())) {
            return lines.filter(line -> line.contains(" INTO " + table + " ") || line.contains(": COPY " + table + " "))
                    .map(line -> line.contains(": COPY ") ? "COPY" : line.contains(" unnest(") ? "unnest" : "VALUES")
                    .distinct()
                    .toList();
        }
    }

    private static Map<Long, RefusedException> deliver(Map<String, String> settings, List<Document> documents) {
        return DeliveredDocuments.refusals(settings, documents);
    }

    private static List<String> rows(String table) {
        return STORE.column("SELECT row_to_json(t)::text FROM " + table + " AS t ORDER BY 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "unnest", "copy"})
    void eachFieldGoesIntoItsColumnAndTheOthersIntoTheRest(String method) throws IOException {
        String table = newTable("station text, level numeric(6,2), at timestamptz, flags boolean, n bigint, doc jsonb");

        assertThat(deliver(
                        settings("insert.method=" + method),
                        List.of(
                                Documents.append(
                                        1,
                                        table,
                                        "{\"station\": \"8\\u00e9\", \"level\": 1.005, \"x\": [1, 2], \"at\":"
                                                + " \"2026-11-23T10:00:00Z\", \"y\": \"z\"}"),
                                Documents.append(2, table, "{\"flags\": true, \"n\": -7, \"station\": null}"),
                                Documents.append(3, table, "{\"fl\\u0061gs\": false, \"n\": 1, \"n\": 2}"))))
                .isEmpty();

        assertThat(rows(table))
                .containsExactly(
                        "{\"station\":\"8é\",\"level\":1.01,\"at\":\"2026-11-23T10:00:00+00:00\",\"flags\":null,"
                                + "\"n\":null,\"doc\":{\"x\": [1, 2], \"y\": \"z\"}}",
                        "{\"station\":null,\"level\":null,\"at\":null,\"flags\":false,\"n\":2,\"doc\":null}",
                        "{\"station\":null,\"level\":null,\"at\":null,\"flags\":true,\"n\":-7,\"doc\":null}");
        assertThat(sent(table)).containsExactly(method.equals("copy") ? "COPY" : "unnest");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "unnest", "values", "copy"})
    void otherTypesAreReadByTheServer(String method) {
        String table = newTable(
                "tags text[], grid int[], m mood, s short, r int4range, d date, doc jsonb NOT NULL, j json, k jsonb");

        assertThat(
                        deliver(
                                settings("insert.method=" + method),
                                List.of(
                                        Documents.append(
                                                1,
                                                table,
                                                "{\"tags\": [\"a,b\", null, \"q\\\"\\\\\"], \"grid\": [[1,2],[3,4]], \"m\": \"rough\", \"s\":"
                                                        + " \"abc\", \"r\": \"[1,5)\", \"d\": \"Nov 23 2026\", \"j\": {\"a\":  1}, \"k\": [ 1]}"))))
                .isEmpty();

        assertThat(rows(table))
                .containsExactly(
                        "{\"tags\":[\"a,b\",null,\"q\\\"\\\\\"],\"grid\":[[1,2],[3,4]],\"m\":\"rough\",\"s\":\"abc\","
                                + "\"r\":\"[1,5)\",\"d\":\"2026-11-23\",\"doc\":{},\"j\":{\"a\":  1},\"k\":[1]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "unnest", "values", "copy"})
    void aStringStaysJsonInAColumnOfJson(String method) {
        String table = newTable("j json, k jsonb, js json[], ks jsonb[], doc jsonb");

        assertThat(deliver(
                        settings("insert.method=" + method),
                        List.of(
                                Documents.append(1, table, "{\"j\": \"a\", \"k\": \"\"}"),
                                Documents.append(
                                        2,
                                        table,
                                        "{\"js\": [\"a\\\"\", {\"b\": 1}], \"ks\": [\"\", \"1\", 1, null]}"))))
                .isEmpty();

        assertThat(rows(table))
                .containsExactly(
                        "{\"j\":\"a\",\"k\":\"\",\"js\":null,\"ks\":null,\"doc\":null}",
                        "{\"j\":null,\"k\":null,\"js\":[\"a\\\"\",{\"b\": 1}],\"ks\":[\"\",\"1\",1,null],\"doc\":null}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "unnest", "copy"})
    void aRowWithAWrongFieldIsRefusedAloneAndNothingIsCut(String method) {
        String table =
                newTable("o bigint, n int, s short, v varchar(3), d date NOT NULL DEFAULT '2026-01-01', doc jsonb");
        List<String> bad = List.of(
                "{\"n\": 1.5}",
                "{\"n\": \"x\"}",
                "{\"n\": 2147483648}",
                "{\"n\": {}}",
                "{\"s\": \"bad\"}",
                "{\"s\": \"toolong\"}",
                "{\"v\": \"abcd\"}",
                "{\"d\": \"2026-02-30\"}",
                "{\"d\": null}",
                "{\"v\": \"\\u0000\"}",
                "{\"n\": 1",
                "{\"n\" 1}",
                "{\"n\": tru}");
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            documents.add(Documents.append(
                    i, table, i % 3 == 0 && i / 3 < bad.size() ? bad.get(i / 3) : "{\"n\": " + i + "}"));
        }

        Map<Long, RefusedException> refused =
                deliver(settings("insert.method=" + method, "metadata.columns=offset:o"), documents);

        assertThat(refused.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, bad.size()).map(i -> 3 * i).boxed().toList());
        assertThat(STORE.column("SELECT count(*) || ' ' || count(n) || ' ' || count(d) FROM " + table))
                .containsExactly("37 37 37");
    }

    /** PostgreSQL reads 3600 as an hour, 101530 as a time of the day, and 20240101 as a date. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "unnest", "values", "copy"})
    void aNumberWithoutAUnitIsNoTime(String method) {
        String table = newTable("i interval, t time, tz timetz, d date, ts timestamp, w interval[], n int, doc jsonb");
        List<String> numbers = List.of(
                "{\"i\": 3600}",
                "{\"t\": 101530}",
                "{\"tz\": 101530}",
                "{\"d\": 20240101}",
                "{\"ts\": 1764461231}",
                "{\"w\": [60]}",
                "{\"i\": -1.5}");
        List<Document> documents = new ArrayList<>();
        for (String number : numbers) {
            documents.add(Documents.append(documents.size(), table, number));
        }
        documents.add(Documents.append(
                documents.size(), table, "{\"i\": \"3600\", \"t\": \"101530\", \"d\": \"20240101\", \"w\": [\"60\"]}"));

        Map<Long, RefusedException> refused = deliver(settings("insert.method=" + method), documents);

        assertThat(refused).containsOnlyKeys(0L, 1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(refused.get(0L))
                .hasMessageContaining("the field i is a number without a schema")
                .hasMessageContaining("time.precision.mode=isostring and interval.handling.mode=string");
        assertThat(STORE.column("SELECT concat_ws(' ', i, t, d, w) FROM " + table))
                .containsExactly("01:00:00 10:15:30 2024-01-01 {00:01:00}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "unnest", "copy"})
    void aMissingFieldTakesTheDefaultAndANullDoesNot(String method) {
        String table = newTable("n int DEFAULT 5, s text DEFAULT 'x', g int GENERATED ALWAYS AS (n + 1) STORED,"
                + " i int GENERATED ALWAYS AS IDENTITY, j int GENERATED BY DEFAULT AS IDENTITY, t text, doc jsonb");

        assertThat(deliver(
                        settings("insert.method=" + method),
                        List.of(
                                Documents.append(1, table, "{\"t\": \"1\"}"),
                                Documents.append(2, table, "{\"n\": null, \"t\": \"2\", \"g\": 9}"),
                                Documents.append(
                                        3, table, "{\"n\": 1, \"s\": \"y\", \"j\": 70, \"t\": \"3\", \"i\": 4}"),
                                Documents.append(4, table, "{\"n\": 2, \"t\": \"4\"}"))))
                .isEmpty();

        assertThat(STORE.column("SELECT concat_ws(' ', t, n, s, g, j, doc) FROM " + table + " ORDER BY t"))
                .containsExactly("1 5 x 6 1", "2 x 2 {\"g\": 9}", "3 1 y 2 70 {\"i\": 4}", "4 2 x 3 3");
    }

    /** The states are those of servers that lack what the statement needs. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "regconfig | \"english\" | \"nosuch\" | auto",
                "regconfig | \"english\" | \"nosuch\" | values",
                "regconfig NOT NULL DEFAULT 'simple' | \"english\" | \"nosuch\" | auto",
                "regconfig[] | [\"english\"] | [\"nosuch\"] | copy"
            })
    void aValueThatItsTypeRefusesWithAnotherStateCostsNoOtherRow(String type, String good, String bad, String method) {
        String table = newTable("n int NOT NULL, c " + type + ", doc jsonb");
        for (String guarantee : List.of("at_least_once", "exactly_once")) {
            Map<String, String> settings = settings(
                    "insert.method=" + method,
                    "delivery.guarantee=" + guarantee,
                    "auto.create=true",
                    "name=" + table + guarantee);

            Map<Long, RefusedException> refused = deliver(
                    settings,
                    List.of(
                            Documents.append(1, table, "{\"n\": 1, \"c\": " + good + "}"),
                            Documents.append(2, table, "{\"n\": 2, \"c\": " + bad + "}"),
                            Documents.append(3, table, "{\"n\": 3, \"x\": 1}"),
                            Documents.append(4, table, "{\"n\": 4, \"c\": " + bad + "}")));
            assertThat(refused).as(guarantee).containsOnlyKeys(2L, 4L);
            assertThat(refused.get(2L).facts()).containsEntry("table", table);
            assertThat(deliver(settings, List.of(Documents.append(5, table, "{\"n\": 5, \"c\": " + bad + "}"))))
                    .as(guarantee)
                    .containsOnlyKeys(5L);
        }

        assertThat(STORE.column("SELECT n::text FROM " + table + " ORDER BY n")).containsExactly("1", "1", "3", "3");
    }

    /** Without the value, nothing of the row is sent. */
    @Test
    void soItIsIfTheRowHasNoOtherValue() {
        String table = newTable("c regconfig, d int");

        assertThat(deliver(
                        settings("unknown.fields=ignore"),
                        List.of(
                                Documents.append(1, table, "{\"c\": \"nosuch\"}"),
                                Documents.append(2, table, "{\"c\": \"nosuch\", \"d\": 2}"),
                                Documents.append(3, table, "{\"d\": 3}"))))
                .containsOnlyKeys(1L, 2L);
        assertThat(rows(table)).containsExactly("{\"c\":null,\"d\":3}");
    }

    /** Nothing shows that a row is at fault. */
    @Test
    void aTriggerThatLacksAFunctionStillFailsTheTask() {
        String table = newTable("n int, doc jsonb");
        STORE.execute("CREATE FUNCTION lacking() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nosuch(NEW.n);"
                + " RETURN NEW; END $$; CREATE TRIGGER lacking BEFORE INSERT ON " + table
                + " FOR EACH ROW EXECUTE FUNCTION lacking()");

        assertThatThrownBy(() -> deliver(settings(), List.of(Documents.append(1, table, "{\"n\": 1}"))))
                .hasMessageContaining("nosuch");
    }

    /** Each row fails with XX000, and none is at fault. */
    @ParameterizedTest
    @ValueSource(strings = {"n int NOT NULL", "n int", "n int DEFAULT 7"})
    void anIndexThatTakesNoRowCostsNoRecord(String column) {
        String table = newTable(column + ", c text, doc jsonb");
        STORE.execute("CREATE INDEX ON " + table + " (int8_avg(ARRAY[n]::bigint[]))");

        assertThatThrownBy(() -> deliver(
                        settings(),
                        List.of(
                                Documents.append(1, table, "{\"n\": 1, \"c\": \"a\"}"),
                                Documents.append(2, table, "{\"n\": 2}"))))
                .hasMessageContaining("expected 2-element int8 array");
    }

    /** As a partition on a server that is away. */
    @Test
    void aPartitionThatTakesNoRowCostsNoRecord() {
        String table = newTable("n int, c text, doc jsonb) PARTITION BY LIST (n");
        String away = table.replace("\"", "") + "_1";
        STORE.execute("CREATE TABLE " + away + " PARTITION OF " + table + " FOR VALUES IN (1);"
                + "CREATE TABLE " + away + "_other PARTITION OF " + table + " DEFAULT;"
                + "CREATE INDEX ON " + away + " (int8_avg(ARRAY[n]::bigint[]))");

        assertThatThrownBy(() -> deliver(
                        settings(),
                        List.of(
                                Documents.append(1, table, "{\"n\": 1, \"c\": \"a\"}"),
                                Documents.append(2, table, "{\"n\": 2}"))))
                .hasMessageContaining("expected 2-element int8 array");
    }

    /** The view has no defaults. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "unnest", "values"})
    void aMissingFieldTakesTheDefaultOfTheTableBehindAView(String method) {
        String table = newTable("id int, n int DEFAULT 5, made text NOT NULL DEFAULT 'x', m int");
        String view = table.replace("\"", "") + "_view";
        STORE.execute("CREATE VIEW " + view + " AS SELECT id, n AS number, made, m FROM " + table);

        assertThat(deliver(
                        settings("unknown.fields=refuse", "insert.method=" + method),
                        List.of(
                                Documents.append(1, '"' + view + '"', "{\"id\": 1}"),
                                Documents.append(2, '"' + view + '"', "{\"id\": 2, \"number\": null, \"m\": 3}"))))
                .isEmpty();

        assertThat(rows(table))
                .containsExactly(
                        "{\"id\":1,\"n\":5,\"made\":\"x\",\"m\":null}", "{\"id\":2,\"n\":null,\"made\":\"x\",\"m\":3}");
    }

    /** As through its table: a missing field leaves a column with a default, which may be an identity, as it is. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "unnest", "values"})
    void anUpsertThroughAViewReplacesTheRow(String method) {
        String table = newTable("id text PRIMARY KEY, n int, made text NOT NULL DEFAULT 'x', m int DEFAULT 5,"
                + " s bigint GENERATED BY DEFAULT AS IDENTITY, g int GENERATED ALWAYS AS (n + 1) STORED");
        String view = table.replace("\"", "") + "_view";
        STORE.execute("CREATE VIEW " + view + " AS SELECT id, n, made, m, s, g FROM " + table);
        Map<String, String> settings = settings(
                "unknown.fields=refuse",
                "insert.mode=upsert",
                "pk.mode=record_key",
                "pk.fields=id",
                "insert.method=" + method);

        for (String document : List.of(
                "{\"n\": 1, \"made\": \"a\", \"m\": 2}",
                "{\"m\": 3}",
                "{\"n\": 4, \"made\": \"b\", \"m\": null}",
                "{\"made\": \"c\"}",
                "{}")) {
            assertThat(deliver(settings, List.of(Documents.write(1, '"' + view + '"', "k", document))))
                    .isEmpty();
            STORE.execute("INSERT INTO replaced SELECT row_to_json(t) FROM " + table + " AS t");
        }

        assertThat(STORE.column("DELETE FROM replaced RETURNING row::text"))
                .containsExactly(
                        "{\"id\":\"k\",\"n\":1,\"made\":\"a\",\"m\":2,\"s\":1,\"g\":2}",
                        "{\"id\":\"k\",\"n\":null,\"made\":\"a\",\"m\":3,\"s\":1,\"g\":null}",
                        "{\"id\":\"k\",\"n\":4,\"made\":\"b\",\"m\":null,\"s\":1,\"g\":5}",
                        "{\"id\":\"k\",\"n\":null,\"made\":\"c\",\"m\":null,\"s\":1,\"g\":null}",
                        "{\"id\":\"k\",\"n\":null,\"made\":\"c\",\"m\":null,\"s\":1,\"g\":null}");
    }

    /** The server would cut the values, and a table from elsewhere may well have such a column. */
    @Test
    void aColumnThatCutsItsValuesTakesNoField() {
        String table = newTable("n int, host name, kind \"char\", hosts name[], doc jsonb");

        assertThat(deliver(
                        settings(),
                        List.of(Documents.append(
                                1, table, "{\"n\": 1, \"host\": \"a\", \"kind\": \"b\", \"hosts\": [\"c\"]}"))))
                .isEmpty();

        assertThat(rows(table))
                .containsExactly("{\"n\":1,\"host\":null,\"kind\":null,\"hosts\":null,"
                        + "\"doc\":{\"host\": \"a\", \"kind\": \"b\", \"hosts\": [\"c\"]}}");
    }

    /** The batches are too small for a COPY by their rows or bytes, and large enough. */
    @ParameterizedTest
    @CsvSource({"auto, 2", "unnest, 2", "values, 2", "copy, 2", "auto, 1500", "copy, 1500", "values, 1500"})
    void aDocumentWithoutAnyFieldIsARowOfDefaults(String method, int rows) {
        String table =
                newTable("n int DEFAULT 5, t text NOT NULL DEFAULT 'x', g int GENERATED ALWAYS AS (n + 1) STORED");
        Map<String, String> settings = settings("unknown.fields=ignore", "insert.method=" + method);
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            documents.add(Documents.append(i, table, i % 2 == 0 ? "{}" : "{\"other\": 1}"));
        }
        documents.add(Documents.append(rows, table, "{\"n\": 7}"));

        assertThat(deliver(settings, documents)).isEmpty();

        assertThat(STORE.column(
                        "SELECT concat_ws(' ', n, t, g, count(*)) FROM " + table + " GROUP BY n, t, g ORDER BY n"))
                .containsExactly("5 x 6 " + rows, "7 x 8 1");
    }

    /** Nothing else of the row is sent that could show it. */
    @Test
    void aRowOfDefaultsIsNotWrittenIfItsFieldJustGotAColumn() throws Exception {
        String table = newTable("n int DEFAULT 5");
        try (Target target = new PostgresTargetType().open(settings("unknown.fields=ignore"));
                BatchWriter writer = target.openWriter(0)) {
            write(writer, Documents.append(1, table, "{\"x\": 1}"));
            STORE.execute("ALTER TABLE " + table + " ADD x int");
            write(writer, Documents.append(2, table, "{\"x\": 2}"));
        }
        assertThat(rows(table)).containsExactly("{\"n\":5,\"x\":2}", "{\"n\":5,\"x\":null}");
    }

    @Test
    void aRowOfDefaultsThatACheckForbidsIsRefusedAlone() {
        String table = newTable("n int DEFAULT 5, CHECK (n <> 5)");

        assertThat(deliver(
                        settings("unknown.fields=ignore"),
                        List.of(
                                Documents.append(1, table, "{}"),
                                Documents.append(2, table, "{\"n\": 7}"),
                                Documents.append(3, table, "{}"))))
                .containsOnlyKeys(1L, 3L);
        assertThat(rows(table)).containsExactly("{\"n\":7}");
    }

    @Test
    void upsertReplacesTheFieldsOfARow() {
        String table = newTable("id text PRIMARY KEY, n int, made text DEFAULT 'then', doc jsonb");
        Map<String, String> settings =
                settings("insert.mode=upsert", "pk.mode=record_key", "pk.fields=id", "delete.enabled=true");

        assertThat(deliver(
                        settings,
                        List.of(
                                Documents.write(1, table, "a", "{\"n\": 1, \"made\": \"first\", \"x\": 1}"),
                                Documents.write(2, table, "b", "{\"n\": 1}"),
                                Documents.write(3, table, "c", "{\"n\": 1, \"id\": \"other\"}"),
                                Documents.write(4, table, "a", "{\"n\": 2}"),
                                Documents.write(5, table, "b", "{\"x\": 3}"),
                                Documents.delete(6, table, "c"),
                                Documents.write(7, table, "d", "{\"id\": \"other\"}"))))
                .isEmpty();
        assertThat(deliver(settings, List.of(Documents.write(8, table, "b", "{\"n\": 4, \"x\": 5}"))))
                .isEmpty();

        assertThat(STORE.column("SELECT concat_ws(' ', id, n, made, doc) FROM " + table + " ORDER BY id"))
                .containsExactly("a 2 first", "b 4 then {\"x\": 5}", "d then {\"id\": \"other\"}");
    }

    /** A document leaves the columns alone whose fields it lacks, so the last one of a key is not enough. */
    @Test
    void everyDocumentOfAKeyCountsInABatch() {
        String table = newTable("id text PRIMARY KEY, n int, made text DEFAULT 'then'");
        try (StartedTask task = new StartedTask(settings(
                "name=batched",
                "table.name.format=" + table,
                "unknown.fields=refuse",
                "insert.mode=upsert",
                "pk.mode=record_key",
                "pk.fields=id",
                "delete.enabled=true"))) {
            task.put(List.of(
                    record("a", "{\"n\": 1, \"made\": \"first\"}"),
                    record("a", "{\"n\": 2}"),
                    record("b", "{\"n\": 1, \"made\": \"first\"}")));
            await().atMost(Duration.ofMinutes(1)).until(task::isWritten);
            task.put(List.of(record("b", null), record("b", "{\"n\": 2}")));
            await().atMost(Duration.ofMinutes(1)).until(task::isWritten);
        }

        assertThat(STORE.column("SELECT concat_ws(' ', id, n, made) FROM " + table + " ORDER BY id"))
                .containsExactly("a 2 first", "b 2 then");
    }

    private static SinkRecord record(String key, String json) {
        return new SinkRecord("", 0, null, key, null, json == null ? null : json.getBytes(UTF_8), 0);
    }

    @Test
    void mergeChangesOnlyTheFieldsOfTheDocument() {
        String table = newTable("id text PRIMARY KEY, a int, b int DEFAULT 5, c text, doc jsonb");
        Map<String, String> settings =
                settings("insert.mode=merge", "pk.mode=record_key", "pk.fields=id", "skip.unchanged=true");

        assertThat(deliver(
                        settings,
                        List.of(
                                Documents.write(1, table, "k", "{\"a\": 1, \"x\": 1, \"y\": 1}"),
                                Documents.write(2, table, "l", "{\"a\": 1}"),
                                Documents.write(3, table, "k", "{\"c\": \"new\", \"x\": 2}"),
                                Documents.write(4, table, "l", "{\"b\": null, \"z\": 3}"),
                                Documents.write(5, table, "k", "{\"a\": null}"),
                                Documents.write(6, table, "m", "{\"a\": 1, \"b\": 2, \"c\": \"gone\"}"),
                                Documents.write(7, table, "m", "[7]"),
                                Documents.write(8, table, "n", "[8]"),
                                Documents.write(9, table, "n", "{\"a\": 9}"))))
                .isEmpty();

        assertThat(rows(table))
                .containsExactly(
                        "{\"id\":\"k\",\"a\":null,\"b\":5,\"c\":\"new\",\"doc\":{\"x\": 2, \"y\": 1}}",
                        "{\"id\":\"l\",\"a\":1,\"b\":null,\"c\":null,\"doc\":{\"z\": 3}}",
                        "{\"id\":\"m\",\"a\":null,\"b\":2,\"c\":null,\"doc\":[7]}",
                        "{\"id\":\"n\",\"a\":9,\"b\":5,\"c\":null,\"doc\":null}");
    }

    /** The server checks for NULL before it looks for a row with the key. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "values"})
    void mergeKeepsAColumnThatTakesNoNull(String method) {
        String table = newTable("id numeric(4,1) PRIMARY KEY, a int NOT NULL, b text NOT NULL, c int, doc jsonb");
        Map<String, String> settings =
                settings("insert.mode=merge", "pk.mode=record_key", "pk.fields=id", "insert.method=" + method);

        assertThat(deliver(
                        settings,
                        List.of(
                                Documents.write(1, table, "1", "{\"a\": 1, \"b\": \"x\"}"),
                                Documents.write(2, table, "2", "{\"a\": 2, \"b\": \"y\"}"),
                                Documents.write(3, table, "1.04", "{\"c\": 3}"))))
                .isEmpty();
        assertThat(deliver(
                        settings,
                        List.of(
                                Documents.write(4, table, "1", "{\"a\": 4}"),
                                Documents.write(5, table, "2", "{\"b\": \"z\", \"x\": 5}"),
                                Documents.write(6, table, "2", "{}"),
                                Documents.write(7, table, "2", "{\"a\": null}"),
                                Documents.write(8, table, "3", "{\"a\": 8}"))))
                .hasSize(2);

        assertThat(rows(table))
                .containsExactly(
                        "{\"id\":1.0,\"a\":4,\"b\":\"x\",\"c\":3,\"doc\":null}",
                        "{\"id\":2.0,\"a\":2,\"b\":\"z\",\"c\":null,\"doc\":{\"x\": 5}}");
    }

    /** Each domain may be the one that takes no NULL. */
    @Test
    void soDoesAColumnOfADomainOverSuchAOne() {
        STORE.execute("CREATE DOMAIN filled AS int NOT NULL; CREATE DOMAIN counted AS filled;"
                + " CREATE DOMAIN small AS counted CHECK (value < 100)");
        String table = newTable("id text PRIMARY KEY, a small, c int, doc jsonb");
        Map<String, String> settings = settings("insert.mode=merge", "pk.mode=record_key", "pk.fields=id");
        assertThat(deliver(settings, List.of(Documents.write(1, table, "k", "{\"a\": 1}"))))
                .isEmpty();

        assertThat(deliver(settings, List.of(Documents.write(2, table, "k", "{\"c\": 3}"))))
                .isEmpty();

        assertThat(rows(table)).containsExactly("{\"id\":\"k\",\"a\":1,\"c\":3,\"doc\":null}");
    }

    /** It is worth a COPY, which could not take the column from the stored row. */
    @Test
    void soDoesALargeDocument() {
        String table = newTable("id text PRIMARY KEY, name text NOT NULL, body text, doc jsonb");
        Map<String, String> settings = settings("insert.mode=merge", "pk.mode=record_key", "pk.fields=id");
        assertThat(deliver(settings, List.of(Documents.write(1, table, "k", "{\"name\": \"x\"}"))))
                .isEmpty();

        assertThat(deliver(
                        settings,
                        List.of(Documents.write(2, table, "k", "{\"body\": \"" + "y".repeat(300_000) + "\"}"))))
                .isEmpty();

        assertThat(STORE.column("SELECT name || length(body) FROM " + table)).containsExactly("x300000");
    }

    /** Nothing shows whether it is newer. */
    @Test
    void mergeRefusesADocumentWithoutAValueForTheGuard() {
        String table = newTable("id text PRIMARY KEY, v int NOT NULL, a int, doc jsonb");
        Map<String, String> settings =
                settings("insert.mode=merge", "pk.mode=record_key", "pk.fields=id", "stale.write.guard=v");

        assertThat(deliver(settings, List.of(Documents.write(1, table, "k", "{\"v\": 5, \"a\": 1}"))))
                .isEmpty();
        assertThat(deliver(
                        settings,
                        List.of(
                                Documents.write(2, table, "k", "{\"a\": 2}"),
                                Documents.write(3, table, "k", "{\"v\": 4, \"a\": 3}"))))
                .containsOnlyKeys(2L);

        assertThat(rows(table)).containsExactly("{\"id\":\"k\",\"v\":5,\"a\":1,\"doc\":null}");
    }

    @Test
    void mergeStoresWhatIsNoObjectInTheRest() {
        String table =
                newTable("s bigserial, doc jsonb, t text, p int, o bigint, a int, j json, PRIMARY KEY (t, p, o)");
        Map<String, String> settings =
                settings("insert.mode=merge", "pk.mode=kafka", "pk.fields=t,p,o", "insert.method=unnest");

        assertThat(deliver(
                        settings,
                        List.of(
                                Documents.append(1, table, "\"text\""),
                                Documents.append(2, table, "{\"a\": 1}"),
                                Documents.append(3, table, "[208, {\"a\": 1.5}]"),
                                Documents.append(4, table, "{\"a\": 1, \"j\": [2]}"))))
                .isEmpty();

        assertThat(STORE.column("SELECT concat_ws(' ', o, a, doc, j) FROM " + table + " ORDER BY o"))
                .containsExactly("1 \"text\"", "2 1", "3 [208, {\"a\": 1.5}]", "4 1 [2]");
    }

    /** The older row has the field in the rest. */
    @Test
    void mergeTakesAFieldOutOfTheRestOnceItGoesIntoAColumn() {
        String table = newTable("id text PRIMARY KEY, doc jsonb");
        String strict = newTable("id text PRIMARY KEY, doc jsonb NOT NULL");
        Map<String, String> settings = settings("insert.mode=merge", "pk.mode=record_key", "pk.fields=id");
        for (String each : List.of(table, strict)) {
            assertThat(deliver(
                            settings,
                            List.of(
                                    Documents.write(1, each, "k", "{\"a\": 1}"),
                                    Documents.write(2, each, "l", "{\"a\": 1, \"b\": 1}"))))
                    .isEmpty();
            STORE.execute("ALTER TABLE " + each + " ADD a int, ADD b int");
            assertThat(deliver(
                            settings,
                            List.of(
                                    Documents.write(3, each, "k", "{\"a\": 2}"),
                                    Documents.write(4, each, "l", "{\"a\": 2, \"c\": 3}"))))
                    .isEmpty();
        }

        assertThat(rows(table))
                .containsExactly(
                        "{\"id\":\"k\",\"doc\":null,\"a\":2,\"b\":null}",
                        "{\"id\":\"l\",\"doc\":{\"b\": 1, \"c\": 3},\"a\":2,\"b\":null}");
        assertThat(rows(strict))
                .containsExactly(
                        "{\"id\":\"k\",\"doc\":{},\"a\":2,\"b\":null}",
                        "{\"id\":\"l\",\"doc\":{\"b\": 1, \"c\": 3},\"a\":2,\"b\":null}");
    }

    @Test
    void theKeyOfTheValueIsNotInTheRest() {
        String table = newTable("id int, part text, n int, doc jsonb, PRIMARY KEY (id, part)");

        assertThat(deliver(
                        settings("insert.mode=upsert", "pk.mode=record_value", "pk.fields=id,part:$.p"),
                        List.of(Documents.write(1, table, "[\"1\",\"x\"]", "{\"id\": 1, \"p\": \"x\", \"n\": 3}"))))
                .isEmpty();

        assertThat(STORE.column("SELECT concat_ws(' ', id, part, n, doc) FROM " + table))
                .containsExactly("1 x 3 {\"p\": \"x\"}");
    }

    /** Numbers are encoded where they start, before their ends are known. */
    @Test
    void aNumberIsAsInJsonOrItsDocumentIsRefused() {
        String table = newTable("n bigint, level numeric, half real, doc jsonb");
        List<String> wrong = List.of("007", "-01", "1.", ".5", "+1", "-", "1.5.3", "1 2", "1e", "0x1", "1_000", "1}");
        List<Document> documents = new ArrayList<>();
        for (String field : List.of("n", "level", "half")) {
            for (String number : wrong) {
                documents.add(Documents.append(documents.size(), table, "{\"" + field + "\":" + number + ",\"n\":1}"));
            }
        }
        long valid = documents.size();
        documents.add(Documents.append(valid, table, "{ \"n\" : -0 , \"level\" : 1e2, \"half\":0.50\n}"));
        documents.add(Documents.append(
                valid + 1, table, "{\"half\":1,\"half\":2.5,\"level\":12.50,\"n\":9223372036854775807}"));

        assertThat(deliver(settings(), documents)).hasSize((int) valid).doesNotContainKeys(valid, valid + 1);
        assertThat(STORE.column("SELECT concat_ws(' ', n, level, half) FROM " + table + " ORDER BY n"))
                .containsExactly("0 100 0.5", "9223372036854775807 12.50 2.5");
    }

    @Test
    void aColumnThatTakesNoFieldIsNamedIfThatIsRefused() {
        String table = newTable("n int, host name, twice int GENERATED ALWAYS AS (n * 2) STORED");

        Map<Long, RefusedException> refused = deliver(
                settings("unknown.fields=refuse"),
                List.of(
                        Documents.append(1, table, "{\"n\": 1, \"host\": \"a\"}"),
                        Documents.append(2, table, "{\"n\": 1, \"twice\": 2}")));

        assertThat(refused).containsOnlyKeys(1L, 2L);
        assertThat(refused.get(1L))
                .hasMessageContaining("the field host has a column that takes none: it is generated, or of type name");
    }

    @Test
    void aFieldWithoutAColumnIsIgnoredOrRefused() {
        String table = newTable("n int, doc jsonb");
        List<Document> documents = List.of(
                Documents.append(1, table, "{\"n\": 1, \"x\": 2}"),
                Documents.append(2, table, "{\"n\": 2}"),
                Documents.append(3, table, "[1]"));

        Map<Long, RefusedException> refused = deliver(settings("unknown.fields=refuse"), documents);
        assertThat(refused).containsOnlyKeys(1L, 3L);
        assertThat(refused.get(1L)).hasMessageContaining("the field x has no column");
        assertThat(refused.get(3L)).hasMessageContaining("not a JSON object");

        assertThat(deliver(settings("unknown.fields=ignore"), documents)).containsOnlyKeys(3L);
        assertThat(STORE.column("SELECT n FROM " + table + " ORDER BY n")).containsExactly("1", "2", "2");
    }

    @Test
    void aValueThatIsNoObjectGoesIntoTheRest() {
        String table = newTable("n int, doc jsonb");

        assertThat(deliver(settings(), List.of(Documents.append(1, table, "[1]"), Documents.append(2, table, "7"))))
                .isEmpty();

        assertThat(STORE.column("SELECT doc FROM " + table + " ORDER BY 1")).containsExactly("7", "[1]");
    }

    /** Each change is made while the lane knows the table as it was. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "unnest", "copy"})
    void aTableThatIsAlteredMeanwhileGetsEachFieldInItsColumn(String method) throws Exception {
        String table = newTable("n int, a bigint, doc jsonb");
        Map<String, String> settings = settings("insert.method=" + method);
        try (Target target = new PostgresTargetType().open(settings);
                BatchWriter writer = target.openWriter(0)) {
            write(writer, Documents.append(1, table, "{\"n\": 1, \"a\": 5, \"b\": true}"));
            STORE.execute("ALTER TABLE " + table + " ADD b boolean");
            write(writer, Documents.append(2, table, "{\"n\": 2, \"a\": 5, \"b\": true}"));
            STORE.execute("ALTER TABLE " + table + " ALTER a TYPE timestamptz USING NULL");
            write(writer, Documents.append(3, table, "{\"n\": 3, \"a\": \"2026-11-23T00:00:00Z\"}"));
            STORE.execute("ALTER TABLE " + table + " DROP a");
            write(writer, Documents.append(4, table, "{\"n\": 4, \"a\": 5, \"b\": false}"));
            STORE.execute("ALTER TABLE " + table + " RENAME b TO c");
            write(writer, Documents.append(5, table, "{\"n\": 5, \"b\": 1, \"c\": false}"));
            STORE.execute("ALTER TABLE " + table + " DROP c, ADD c text");
            write(writer, Documents.append(6, table, "{\"n\": 6, \"c\": 1.50}"));
            STORE.execute("ALTER TABLE " + table + " ADD d int NOT NULL DEFAULT 9");
            write(writer, Documents.append(7, table, "{\"n\": 7, \"c\": \"x\"}"));
            assertThat(STORE.column("SELECT row_to_json(t)::text FROM " + table + " AS t ORDER BY n"))
                    .containsExactly(
                            "{\"n\":1,\"doc\":{\"b\": true},\"c\":null,\"d\":9}",
                            "{\"n\":2,\"doc\":null,\"c\":null,\"d\":9}",
                            "{\"n\":3,\"doc\":null,\"c\":null,\"d\":9}",
                            "{\"n\":4,\"doc\":{\"a\": 5},\"c\":null,\"d\":9}",
                            "{\"n\":5,\"doc\":{\"b\": 1},\"c\":null,\"d\":9}",
                            "{\"n\":6,\"doc\":null,\"c\":\"1.50\",\"d\":9}",
                            "{\"n\":7,\"doc\":null,\"c\":\"x\",\"d\":9}");
            STORE.execute("DROP TABLE " + table + "; CREATE TABLE " + table + " (doc json, n numeric)");
            write(writer, Documents.append(8, table, "{\"n\": 8.50, \"c\": 1}"));
            assertThat(STORE.column("SELECT concat_ws(' ', n, doc) FROM " + table))
                    .containsExactly("8.50 {\"c\": 1}");
        }
    }

    /** The second delivery has no such field in the rest. Its answer may have been lost, or the offsets were set back. */
    @Test
    void aRowIsKnownAlsoIfFieldsGotColumnsAfterItWasWritten() {
        String table = newTable("__connect_topic text, __connect_partition int, __connect_offset bigint, n int,"
                + " doc jsonb, UNIQUE (__connect_topic, __connect_partition, __connect_offset)");
        Map<String, String> settings = settings("metadata.columns=topic,partition,offset");
        List<Document> documents = List.of(
                Documents.append(1, table, "{\"n\": 1, \"text\": null}"),
                Documents.append(2, table, "{\"n\": 2, \"text\": \"a\", \"other\": [1.0]}"),
                Documents.append(3, table, "{\"n\": 3, \"count\": 7}"),
                Documents.append(4, table, "{\"n\": 4}"),
                Documents.append(5, table, "[5]"),
                Documents.append(6, table, "{\"n\": 6, \"level\": 1.25, \"half\": 4.0}"));
        assertThat(deliver(settings, documents)).isEmpty();
        STORE.execute("ALTER TABLE " + table + " ADD text text, ADD count int DEFAULT 0,"
                + " ADD level numeric(6,3), ADD half float8");
        List<String> stored = rows(table);

        assertThat(deliver(settings, documents)).isEmpty();

        assertThat(rows(table)).isEqualTo(stored);
        assertThat(deliver(
                        settings,
                        List.of(
                                Documents.append(1, table, "{\"n\": 1, \"text\": \"\"}"),
                                Documents.append(2, table, "{\"n\": 2, \"text\": \"a\", \"other\": [2.0]}"),
                                Documents.append(3, table, "{\"n\": 3, \"count\": 8}"),
                                Documents.append(4, table, "{\"n\": 4, \"text\": \"b\"}"),
                                Documents.append(5, table, "[6]"),
                                Documents.append(6, table, "{\"n\": 6, \"level\": 1.26, \"half\": 4.0}"))))
                .containsOnlyKeys(1L, 2L, 3L, 4L, 5L, 6L);
    }

    /** The values went with the column, and a field that comes again is in the rest, or in a new column. */
    @Test
    void aRowIsKnownAlsoIfItsColumnsWereDroppedAfterItWasWritten() {
        String table = newTable("__connect_topic text, __connect_partition int, __connect_offset bigint, n int, a int,"
                + " b text, doc jsonb, UNIQUE (__connect_topic, __connect_partition, __connect_offset)");
        Map<String, String> settings = settings("metadata.columns=topic,partition,offset");
        List<Document> documents = List.of(
                Documents.append(1, table, "{\"n\": 1, \"a\": 5, \"b\": \"x\"}"),
                Documents.append(2, table, "{\"n\": 2, \"a\": 6, \"other\": [1.0]}"),
                Documents.append(3, table, "{\"n\": 3, \"b\": null}"),
                Documents.append(4, table, "[4]"));
        List<Document> others = List.of(
                Documents.append(1, table, "{\"n\": 7, \"a\": 5, \"b\": \"x\"}"),
                Documents.append(2, table, "{\"n\": 2, \"a\": 6, \"other\": [2.0]}"),
                Documents.append(3, table, "{\"b\": null}"),
                Documents.append(4, table, "[5]"));
        assertThat(deliver(settings, documents)).isEmpty();
        for (String change : List.of("DROP a", "DROP b", "ADD a int, ADD b text", "ADD more int DEFAULT 3")) {
            STORE.execute("ALTER TABLE " + table + " " + change);
            List<String> stored = rows(table);

            assertThat(deliver(settings, documents)).as(change).isEmpty();

            assertThat(rows(table)).isEqualTo(stored);
            assertThat(deliver(settings, others)).as(change).containsOnlyKeys(1L, 2L, 3L, 4L);
        }
    }

    /** A topic that was made again has other records at the same offsets. */
    @Test
    void anotherRecordAtTheSameOffsetIsNotTakenForTheStoredOneBecauseALaterColumnWasDropped() {
        String table = newTable("__connect_topic text, __connect_partition int, __connect_offset bigint, n int,"
                + " doc jsonb, gone int, UNIQUE (__connect_topic, __connect_partition, __connect_offset)");
        STORE.execute("ALTER TABLE " + table + " DROP gone");
        Map<String, String> settings = settings("metadata.columns=topic,partition,offset");
        assertThat(deliver(settings, List.of(Documents.append(1, table, "{}")))).isEmpty();

        assertThat(deliver(settings, List.of(Documents.append(1, table, "{\"n\": 1}"))))
                .containsOnlyKeys(1L);
    }

    /** The server would fail to read a date that is none. */
    @ParameterizedTest
    @CsvSource({
        "2024-02-29, 2024-02-29, t",
        "2000-02-29, 2000-02-29, t",
        "0004-02-29, 0004-02-29, t",
        "2023-12-31, 2023-12-31, t",
        "2023-02-29, 2023-03-01, f",
        "1900-02-29, 1900-03-01, f",
        "0000-02-29, 2000-02-29, f",
        "0000-01-01, 2000-01-01, f"
    })
    void aDateInTheRestIsKnownInItsColumn(String text, String stored, String isSame) throws Exception {
        try (Connection connection = SERVER.connect()) {
            TableShape shape = TableLookUp.of(connection, newTable("d date"), List.of());

            assertThat(STORE.column("SELECT " + new EarlierRow(shape).isOfField("d", "v.old", "v.stored")
                            + " FROM (VALUES (to_jsonb('" + text + "'::text), '" + stored
                            + "'::date)) AS v(old, stored)"))
                    .containsExactly(isSame);
        }
    }

    /** Another document may have the same key, and would be lost. */
    @Test
    void aRowOfTheSameKeyIsNotTakenForTheSameRecordBecauseAColumnWasDropped() {
        String table = newTable("id text PRIMARY KEY, n int, gone int, doc jsonb");
        STORE.execute("ALTER TABLE " + table + " DROP gone");
        Map<String, String> settings = settings("pk.mode=record_key", "pk.fields=id");
        assertThat(deliver(settings, List.of(Documents.write(1, table, "k", "{\"n\": 1}"))))
                .isEmpty();

        assertThat(deliver(settings, List.of(Documents.write(2, table, "k", "{\"n\": 1, \"x\": 2}"))))
                .containsOnlyKeys(2L);
    }

    /** A writer that finds the table altered writes the same document again. */
    private static void write(BatchWriter writer, Document document) throws WriteException {
        for (int attempt = 0; ; attempt++) {
            try {
                assertThat(writer.write(List.of(document))).isEmpty();
                return;
            } catch (WriteException e) {
                assertThat(e.failure()).as(e.getMessage()).isEqualTo(Failure.BUSY);
                assertThat(attempt).isLessThan(3);
            }
        }
    }

    @Test
    void aFieldIsNotRefusedWhoseColumnWasJustAdded() throws Exception {
        String table = newTable("n int");
        try (Target target = new PostgresTargetType().open(settings("unknown.fields=refuse"));
                BatchWriter writer = target.openWriter(0)) {
            write(writer, Documents.append(1, table, "{\"n\": 1}"));
            STORE.execute("ALTER TABLE " + table + " ADD x int");
            write(writer, Documents.append(2, table, "{\"n\": 2, \"x\": 3}"));
        }
        assertThat(rows(table)).containsExactly("{\"n\":1,\"x\":null}", "{\"n\":2,\"x\":3}");
    }

    /** A COPY takes none but the usual forms, so the batch is sent in another statement. */
    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once"})
    void oneRareFormAmongManyRowsCostsNoRow(String guarantee) throws IOException {
        String table = newTable("n int, d date, doc jsonb");
        List<Document> documents = new ArrayList<>();
        for (int n = 0; n < 3_000; n++) {
            String date = n == 1_700 ? "23 Nov 2026" : n == 2_500 ? "nonsense" : "2026-11-23";
            documents.add(Documents.append(n, table, "{\"d\": \"" + date + "\", \"n\": " + n + "}"));
        }
        Map<String, String> settings = settings("delivery.guarantee=" + guarantee, "auto.create=true", "name=" + table);

        assertThat(deliver(settings, documents.subList(0, 1_500))).isEmpty();
        assertThat(deliver(settings, documents.subList(1_500, 3_000))).containsOnlyKeys(2_500L);

        assertThat(STORE.column(
                        "SELECT count(*) || ' ' || count(DISTINCT n) || ' ' || min(d) || ' ' || max(d) FROM " + table))
                .containsExactly("2999 2999 2026-11-23 2026-11-23");
        assertThat(sent(table)).containsExactly("COPY", "unnest");
    }

    @Test
    void anOlderRecordByAFieldDoesNotReplaceANewerRow() {
        String table = newTable("id text PRIMARY KEY, version bigint, n int");
        Map<String, String> settings = settings(
                "insert.mode=upsert",
                "pk.mode=record_key",
                "pk.fields=id",
                "stale.write.guard=version",
                "unknown.fields=ignore");

        assertThat(deliver(
                        settings,
                        List.of(
                                Documents.write(1, table, "a", "{\"version\": 10, \"n\": 1}"),
                                Documents.write(2, table, "a", "{\"version\": 9, \"n\": 2}"),
                                Documents.write(3, table, "a", "{\"n\": 3}"))))
                .isEmpty();

        assertThat(rows(table)).containsExactly("{\"id\":\"a\",\"version\":10,\"n\":1}");
    }

    @Test
    void aValueThatItsTypeTakesForEqualIsAChange() {
        String table = newTable("id text PRIMARY KEY, i interval, p point, doc jsonb");
        Map<String, String> settings =
                settings("insert.mode=upsert", "pk.mode=record_key", "pk.fields=id", "skip.unchanged=true");

        for (String interval : List.of("30 days", "1 mon", "1 mon")) {
            assertThat(deliver(
                            settings,
                            List.of(Documents.write(1, table, "a", "{\"i\": \"" + interval + "\", \"p\": \"(1,2)\"}"))))
                    .isEmpty();
        }

        assertThat(STORE.column("SELECT concat_ws(' ', i, p) FROM " + table)).containsExactly("1 mon (1,2)");
    }

    @Test
    void anUnchangedRowStaysAsItIs() {
        String table = newTable("id text PRIMARY KEY, n numeric(4,1), j json, doc jsonb");
        Map<String, String> settings =
                settings("insert.mode=upsert", "pk.mode=record_key", "pk.fields=id", "skip.unchanged=true");

        assertThat(deliver(settings, List.of(Documents.write(1, table, "a", "{\"n\": 1.04, \"j\": [1], \"x\": 1}"))))
                .isEmpty();
        List<String> before = STORE.column("SELECT ctid::text || xmin::text FROM " + table);
        assertThat(deliver(settings, List.of(Documents.write(2, table, "a", "{\"x\": 1, \"j\": [1], \"n\": 1.0}"))))
                .isEmpty();
        assertThat(STORE.column("SELECT ctid::text || xmin::text FROM " + table))
                .isEqualTo(before);
        assertThat(deliver(settings, List.of(Documents.write(3, table, "a", "{\"x\": 1, \"j\": [2], \"n\": 1.0}"))))
                .isEmpty();
        assertThat(rows(table)).containsExactly("{\"id\":\"a\",\"n\":1.0,\"j\":[2],\"doc\":{\"x\": 1}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "unnest", "copy"})
    void aPlainInsertThatComesAgainRefusesNoRowThatIsStored(String method) {
        String table = newTable(
                "o bigint PRIMARY KEY, n numeric(4,1), t text DEFAULT 'x', at timestamptz DEFAULT now(), doc jsonb");
        Map<String, String> settings = settings("insert.method=" + method, "metadata.columns=offset:o");
        List<Document> documents = List.of(
                Documents.append(1, table, "{\"n\": 1.04, \"a\": 1}"),
                Documents.append(2, table, "{\"t\": \"y\", \"n\": null}"));

        assertThat(deliver(settings, documents)).isEmpty();
        assertThat(deliver(settings, documents)).isEmpty();
        assertThat(STORE.column("SELECT count(*) FROM " + table)).containsExactly("2");
        assertThat(deliver(settings, List.of(Documents.append(1, table, "{\"n\": 2}"))))
                .containsOnlyKeys(1L);
    }

    /** Locks of a row that was tried and refused are released, so the table can be altered between two of them. */
    @Test
    void noRowIsRefusedBecauseTheTableIsAlteredWhileRowsAreTried() throws Exception {
        String table = newTable("n int, doc jsonb");
        STORE.execute("CREATE FUNCTION pausing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.n = 13 THEN"
                + " IF current_setting('tidegate.statement', true) <> '' THEN PERFORM pg_advisory_xact_lock(7); END IF;"
                + " RAISE EXCEPTION 'no 13' USING ERRCODE = '22000'; END IF; RETURN NEW; END $$");
        STORE.execute("CREATE TRIGGER pausing BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION pausing()");
        List<Document> documents = LongStream.rangeClosed(11, 16)
                .mapToObj(n -> Documents.append(n, table, "{\"n\": " + n + "}"))
                .toList();

        Map<Long, RefusedException> refused;
        try (Connection pause = SERVER.connect()) {
            boolean unused = pause.createStatement().execute("SELECT pg_advisory_lock(7)");
            CompletableFuture<Map<Long, RefusedException>> delivery =
                    CompletableFuture.supplyAsync(() -> deliver(settings("insert.method=unnest"), documents));
            awaitWaiting("locktype = 'advisory'", delivery);
            CompletableFuture<Void> alteration =
                    CompletableFuture.runAsync(() -> STORE.execute("ALTER TABLE " + table + " ADD COLUMN later int"));
            awaitWaiting("mode = 'AccessExclusiveLock'", delivery);
            unused = pause.createStatement().execute("SELECT pg_advisory_unlock(7)");
            refused = delivery.get();
            alteration.get();
        }

        assertThat(refused).containsOnlyKeys(13L);
        assertThat(STORE.column("SELECT n::text FROM " + table + " ORDER BY 1"))
                .containsExactly("11", "12", "14", "15", "16");
    }

    private static void awaitWaiting(String lock, CompletableFuture<?> meanwhile) {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> meanwhile.isDone()
                        || STORE.column("SELECT pid::text FROM pg_locks WHERE NOT granted AND " + lock)
                                        .size()
                                == 1);
        assertThat(meanwhile).isNotDone();
    }
}
