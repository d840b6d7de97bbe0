package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.JsonbSinkConnector;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.settings.InsertMethod;
import io.tidegate.connect.testkit.Servers;
import io.tidegate.connect.testkit.postgres.Postgres;
import io.tidegate.connect.testkit.scenarios.Skip;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One attempt to write, on a real PostgreSQL: every way to send rows makes the same rows. */
@Tag("smoke")
@Tag("postgres-releases")
final class PostgresWriterIT {
    private static final Servers SERVERS = Servers.chosen();
    private static final Postgres SERVER = SERVERS.postgres();
    private static final PostgresStore STORE = new PostgresStore(SERVER);
    private static int tables;

    @BeforeAll
    static void start() {
        SERVERS.obstacle().ifPresent(obstacle -> Skip.loudly(PostgresWriterIT.class, obstacle));
        SERVER.start();
    }

    @AfterAll
    static void close() {
        SERVER.close();
        SERVERS.close();
    }

    private static String newTable(String columns) {
        String table = "\"t" + tables++ + "\"";
        STORE.execute("CREATE TABLE " + table + " (" + columns + ")");
        return table;
    }

    private static Target open(Map<String, String> settings) {
        return new PostgresTargetType().open(connection(settings));
    }

    private static Map<String, String> connection(Map<String, String> settings) {
        Map<String, String> props = new HashMap<>(settings);
        props.put("connection.url", SERVER.jdbcUrl());
        props.put("connection.user", SERVER.user());
        props.put("connection.password", SERVER.password());
        return props;
    }

    private static void write(Map<String, String> settings, List<Document> documents) throws WriteException {
        try (Target target = open(settings);
                BatchWriter writer = target.openWriter(0)) {
            Documents.claim(writer, documents);
            assertThat(writer.write(documents)).isEmpty();
        }
    }

    private static List<Document> documents(String table, int count) {
        List<Document> documents = new ArrayList<>();
        for (int offset = 0; offset < count; offset++) {
            documents.add(
                    Documents.append(offset, table, "{\"n\": " + offset + ", \"text\": \"\u00e4\u20ac\ud83c\udf0a\"}"));
        }
        return documents;
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void everyMethodMakesTheSameRows(InsertMethod method) throws WriteException {
        String table = newTable("doc jsonb NOT NULL, t text, p int, o bigint");
        List<Document> documents = documents(table, 1_000);
        documents.add(Documents.append(1_000, table, "{\"n\": 1000, \"large\": \"" + "x".repeat(1 << 20) + "\"}"));
        documents.add(Documents.append(1_001, table, " [1, \"\\u00e4\", null] "));

        write(Map.of("insert.method", name(method), "pk.mode", "kafka", "pk.fields", "t,p,o"), documents);

        assertThat(STORE.column("SELECT count(*) || ' ' || sum(o) || ' ' || count(DISTINCT doc) || ' '"
                        + " || min(t) || max(t) || min(p) || max(p) || ' ' || sum((doc->>'n')::int)"
                        + " || ' ' || count(*) FILTER (WHERE doc->>'text' = U&'\\00e4\\20ac\\+01f30a')"
                        + " || ' ' || max(length(doc->>'large')) FROM " + table))
                .containsExactly("1002 501501 1002 readingsreadings33 500500 1000 1048576");
        assertThat(STORE.column("SELECT doc FROM " + table + " WHERE o = 1001")).containsExactly("[1, \"ä\", null]");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void everyMethodAppendsToATableOfOneColumn(InsertMethod method) throws WriteException {
        String table = newTable("id bigserial, doc jsonb, at timestamptz DEFAULT now()");

        write(Map.of("insert.method", name(method)), documents(table, 300));

        assertThat(STORE.column("SELECT count(*) || ' ' || count(id) || ' ' || count(at) FROM " + table))
                .containsExactly("300 300 300");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void whatIsDeliveredAgainIsWrittenOnce(InsertMethod method) throws WriteException {
        String table = newTable("doc jsonb, t text, p int, o bigint, UNIQUE (t, p, o)");
        Map<String, String> settings = Map.of(
                "insert.method", name(method), "insert.mode", "ignore", "pk.mode", "kafka", "pk.fields", "t,p,o");
        write(settings, documents(table, 500));

        write(settings, documents(table, 700));

        assertThat(STORE.column("SELECT count(*) || ' ' || max(o) FROM " + table))
                .containsExactly("700 699");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void everyMethodFollowsTheRulesOfATable(InsertMethod method) throws WriteException {
        String table = newTable("doc jsonb");
        STORE.execute("CREATE RULE nothing AS ON INSERT TO " + table + " DO INSTEAD NOTHING");

        write(Map.of("insert.method", name(method)), documents(table, 1_000));

        assertThat(STORE.column("SELECT count(*) FROM " + table)).containsExactly("0");
    }

    @Test
    void whereRowsExistAgainAndAgainTheyAreLookedForAtOnce() throws WriteException {
        String table = newTable("doc jsonb, id text PRIMARY KEY");
        STORE.execute("CREATE SEQUENCE attempts_of_" + table.replace("\"", ""));
        STORE.execute("CREATE FUNCTION count_" + table.replace("\"", "") + "() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$BEGIN PERFORM nextval('attempts_of_" + table.replace("\"", "") + "'); RETURN NULL; END$$");
        STORE.execute("CREATE TRIGGER count BEFORE INSERT ON " + table + " FOR EACH STATEMENT EXECUTE FUNCTION count_"
                + table.replace("\"", "") + "()");
        try (Target target = open(Map.of("insert.mode", "ignore", "pk.mode", "record_key", "pk.fields", "id"));
                BatchWriter writer = target.openWriter(0)) {
            for (int batch = 0; batch < 100; batch++) {
                assertThat(writer.write(List.of(Documents.write(batch, table, "x", Integer.toString(batch)))))
                        .isEmpty();
            }
        }

        assertThat(STORE.column("SELECT doc FROM " + table)).containsExactly("0");
        assertThat(Integer.parseInt(STORE.column("SELECT last_value FROM attempts_of_" + table.replace("\"", ""))
                        .get(0)))
                .isBetween(101, 110);
    }

    @ParameterizedTest
    @CsvSource({"values, text", "values, bigint", "unnest, text", "unnest, bigint", "unnest, uuid"})
    void keysTakeTheTypeOfTheirColumn(String method, String type) throws WriteException {
        String table = newTable("doc jsonb, id " + type + " PRIMARY KEY");
        String key = type.equals("uuid") ? "00000000-0000-0000-0000-00000000002a" : "42";
        Map<String, String> settings =
                Map.of("insert.method", method, "insert.mode", "upsert", "pk.mode", "record_key", "pk.fields", "id");
        write(settings, List.of(Documents.write(1, table, key, "1")));
        write(settings, List.of(Documents.write(2, table, key, "2")));
        assertThat(STORE.column("SELECT id::text || '=' || (doc::text) FROM " + table))
                .containsExactly(key + "=2");

        write(settings, List.of(Documents.delete(3, table, key)));
        assertThat(STORE.column("SELECT id::text FROM " + table)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void nothingOfABatchWithAPoisonRecordIsWrittenAndTheRecordIsNamed(InsertMethod method) {
        String table = newTable("doc jsonb");
        List<Document> good = documents(table, 200);
        List<Document> documents = new ArrayList<>(good);
        documents.add(100, Documents.append(1_000, table, "{\"never\": \"closed"));

        assertThatThrownBy(() -> write(Map.of("insert.method", name(method)), documents))
                .isInstanceOfSatisfying(WriteException.class, e -> {
                    assertThat(e.failure()).isEqualTo(Failure.REJECTED);
                    assertThat(e.unwritten()).isEqualTo(good);
                    assertThat(e.refusals()).extracting(Refusal::document).containsExactly(documents.get(100));
                    assertThat(e).hasMessageContaining("SQLSTATE 22P02").hasMessageNotContaining("never");
                });
        assertThat(STORE.column("SELECT doc FROM " + table)).isEmpty();
    }

    /** A value for a column of some type, and what is stored for it, or the SQLSTATE with which it is refused. */
    private record TypeCase(String type, String good, String value, String outcome) {
        boolean isRefused() {
            return outcome.matches("22.{3}|23.{3}");
        }
    }

    private static List<TypeCase> keyCases() {
        List<TypeCase> cases = new ArrayList<>(List.of(
                new TypeCase("varchar(10)", "a", "abcdefghij", "abcdefghij"),
                new TypeCase("varchar(10)", "a", "abcdefghijk", "22001"),
                new TypeCase("char(10)", "a", "abc", "abc"),
                new TypeCase("char(10)", "a", "abcdefghijk", "22001"),
                new TypeCase("char[]", "{a}", "{b,c}", "{b,c}"),
                new TypeCase("char[]", "{a}", "{b,cd}", "22001"),
                new TypeCase("varchar(3)[]", "{a}", "{a,abcd}", "22001"),
                new TypeCase("bit(8)", "10101010", "11110000", "11110000"),
                new TypeCase("bit(8)", "10101010", "111100001", "22026"),
                new TypeCase("bit(8)", "10101010", "1", "22026"),
                new TypeCase("bit varying(8)", "1", "11110000", "11110000"),
                new TypeCase("bit varying(8)", "1", "111100001", "22001"),
                new TypeCase("text", "a", "abcdefghijk", "abcdefghijk"),
                new TypeCase("json", "1", "{\"a\":1}", "{\"a\":1}"),
                new TypeCase("json", "1", "{", "22P02"),
                new TypeCase("jsonb", "1", "{\"a\":1}", "{\"a\": 1}"),
                new TypeCase("jsonb", "1", "{", "22P02"),
                new TypeCase("int", "1", "2147483647", "2147483647"),
                new TypeCase("int", "1", "2147483648", "22003"),
                new TypeCase("bigint", "1", "2147483648", "2147483648"),
                new TypeCase("bigint", "1", "1.5", "22P02"),
                new TypeCase("numeric(10,2)", "1", "1.005", "1.01"),
                new TypeCase("numeric(10,2)", "1", "123456789", "22003"),
                new TypeCase(
                        "uuid",
                        "00000000-0000-0000-0000-000000000001",
                        "{0000000000000000000000000000002A}",
                        "00000000-0000-0000-0000-00000000002a"),
                new TypeCase("uuid", "00000000-0000-0000-0000-000000000001", "2a", "22P02"),
                new TypeCase("timestamptz(0)", "2015-01-01T00:00Z", "2015-01-01T00:00:00.6Z", "2015-01-01 00:00:01"),
                new TypeCase("timestamptz(0)", "2015-01-01T00:00Z", "2015-01-01T25:00Z", "22008"),
                new TypeCase("date", "2015-01-01", "2015-12-31", "2015-12-31"),
                new TypeCase("date", "2015-01-01", "2015-12-32", "22008"),
                new TypeCase("date", "2015-01-01", "2015-12-31T23:00Z", "2015-12-31"),
                new TypeCase("timestamp", "2015-01-01", "2015-12-31T23:00Z", "2015-12-31 23:00:00"),
                new TypeCase("timestamp", "2015-01-01", "never", "22007"),
                new TypeCase("time(0)", "00:00", "23:59:59.6", "24:00:00"),
                new TypeCase("time(0)", "00:00", "25:00", "22008"),
                new TypeCase("timetz", "00:00Z", "23:59+01", "23:59:00+01"),
                new TypeCase("interval second(0)", "1 s", "1.6 s", "00:00:02"),
                new TypeCase("interval", "1 s", "long", "22007"),
                new TypeCase("smallint", "1", "32767", "32767"),
                new TypeCase("smallint", "1", "32768", "22003"),
                new TypeCase("numeric", "1", "1.005", "1.005"),
                new TypeCase("numeric", "1", "1,5", "22P02"),
                new TypeCase("numeric(10,2)[]", "{1}", "{1.005}", "{1.01}"),
                new TypeCase("numeric(10,2)[]", "{1}", "{123456789}", "22003"),
                new TypeCase("real", "1", "1e39", "22003"),
                new TypeCase("double precision", "1", "0.1", "0.1"),
                new TypeCase("double precision", "1", "1e309", "22003"),
                new TypeCase("bytea", "\\x00", "\\xff", "\\xff"),
                new TypeCase("bytea", "\\x00", "\\xf", "22023"),
                new TypeCase("inet", "::1", "10.0.0.1/8", "10.0.0.1/8"),
                new TypeCase("cidr", "::1", "10.0.0.1/8", "22P02"),
                new TypeCase("macaddr", "08:00:2b:01:02:03", "08002b010203", "08:00:2b:01:02:03"),
                new TypeCase("text[]", "{a}", "{b,NULL}", "{b,NULL}"),
                new TypeCase("text[]", "{a}", "{b", "22P02"),
                new TypeCase("integer[]", "{1}", "{2147483648}", "22003"),
                new TypeCase("int4range", "[1,2)", "[1,2]", "[1,3)"),
                new TypeCase("int4range", "[1,2)", "[2,1]", "22000"),
                new TypeCase("point", "(1,2)", "3,4", "(3,4)"),
                new TypeCase("tsvector", "a", "b a", "'a' 'b'"),
                new TypeCase("level", "low", "high", "high"),
                new TypeCase("level", "low", "other", "22P02"),
                new TypeCase("oid", "1", "4294967296", "22003"),
                new TypeCase("boolean", "t", "yes", "true"),
                new TypeCase("boolean", "t", "maybe", "22P02"),
                new TypeCase("short", "a", "abcdefghij", "abcdefghij"),
                new TypeCase("short", "a", "abcdefghijk", "22001"),
                new TypeCase("shorter", "a", "abcdefghijk", "22001"),
                new TypeCase("shorter", "a", "bad", "23514")));
        if (!STORE.column("SELECT name FROM pg_available_extensions WHERE name = 'citext'")
                .isEmpty()) {
            STORE.execute("CREATE EXTENSION IF NOT EXISTS citext");
            cases.add(new TypeCase("citext", "a", "ABC", "ABC"));
        }
        return cases;
    }

    private static final List<TypeCase> VALUE_CASES = List.of(
            new TypeCase("jsonb", "1", "{\"a\":1}", "{\"a\": 1}"),
            new TypeCase("json", "1", "{\"a\":1}", "{\"a\":1}"),
            new TypeCase("json", "1", "{\"a\":", "22P02"),
            new TypeCase("text", "1", "{\"a\":1}", "{\"a\":1}"),
            new TypeCase("varchar(10)", "1", "{\"a\":1}", "{\"a\":1}"),
            new TypeCase("varchar(10)", "1", "{\"a\":\"abcdefgh\"}", "22001"),
            new TypeCase("document", "1", "{\"a\":1}", "{\"a\": 1}"),
            new TypeCase("document", "1", "{\"a\":", "22P02"));

    private static final List<TypeCase> OFFSET_CASES = List.of(
            new TypeCase("bigint", "", "9223372036854775807", "9223372036854775807"),
            new TypeCase("integer", "", "2147483647", "2147483647"),
            new TypeCase("integer", "", "2147483648", "22003"),
            new TypeCase("smallint", "", "32768", "22003"),
            new TypeCase("numeric(5)", "", "100000", "22003"),
            new TypeCase("double precision", "", "32768", "32768"),
            new TypeCase("text", "", "32768", "32768"),
            new TypeCase("varchar(5)", "", "100000", "22001"));

    @ParameterizedTest
    @CsvSource({"values, 1", "values, 1000", "unnest, 1", "unnest, 1000", "copy, 1", "copy, 1000"})
    void everyMethodStoresAndRefusesTheSameValues(String method, int rows) {
        createDomains();
        for (TypeCase each : keyCases()) {
            String table = newTable("doc jsonb, x " + each.type());
            check(
                    each,
                    table,
                    rows,
                    Map.of("insert.method", method, "pk.mode", "record_key", "pk.fields", "x"),
                    (offset, value) -> Documents.write(offset, table, value, Long.toString(offset)));
        }
        for (TypeCase each : VALUE_CASES) {
            String table = newTable("x " + each.type());
            check(
                    each,
                    table,
                    rows,
                    Map.of("insert.method", method, "value.column.name", "x"),
                    (offset, value) -> Documents.append(offset, table, value));
        }
        for (TypeCase each : OFFSET_CASES) {
            String table = newTable("doc jsonb, x " + each.type());
            check(
                    each,
                    table,
                    rows,
                    Map.of("insert.method", method, "metadata.columns", "offset:x"),
                    (offset, value) -> Documents.append(value.isEmpty() ? offset : Long.parseLong(value), table, "1"));
        }
    }

    private static void createDomains() {
        if (STORE.column("SELECT typname FROM pg_type WHERE typname = 'short'").isEmpty()) {
            STORE.execute("CREATE DOMAIN short AS varchar(10)");
            STORE.execute("CREATE DOMAIN shorter AS short CHECK (VALUE <> 'bad')");
            STORE.execute("CREATE DOMAIN document AS jsonb");
            STORE.execute("CREATE TYPE level AS ENUM ('low', 'high')");
        }
    }

    /** Good rows, and the case as the last one. */
    private static void check(
            TypeCase each,
            String table,
            int rows,
            Map<String, String> settings,
            BiFunction<Long, String, Document> document) {
        List<Document> documents = new ArrayList<>();
        for (long offset = 0; offset < rows - 1; offset++) {
            documents.add(document.apply(offset, each.good()));
        }
        documents.add(document.apply(rows - 1L, each.value()));

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(connection(settings), documents);

        String text = each.type().startsWith("timestamptz") ? "(x AT TIME ZONE 'UTC')::text" : "x::text";
        List<String> outcome = refused.isEmpty()
                ? STORE.column("SELECT " + text + " FROM " + table + " ORDER BY ctid DESC LIMIT 1")
                : refused.values().stream()
                        .map(reason -> String.valueOf(reason.facts().get("sqlstate")))
                        .toList();
        assertThat(outcome).as("%s in %s", each.value(), each.type()).containsExactly(each.outcome());
        assertThat(STORE.column("SELECT count(*) FROM " + table))
                .as("%s in %s", each.value(), each.type())
                .containsExactly(Integer.toString(each.isRefused() ? rows - 1 : rows));
    }

    @ParameterizedTest
    @EnumSource(
            value = InsertMethod.class,
            names = {"VALUES", "UNNEST", "AUTO"})
    void anAlteredTableIsLookedUpBeforeARecordIsRefused(InsertMethod method) throws WriteException {
        String table = newTable("doc jsonb, n int");
        try (Target target = open(Map.of("insert.method", name(method), "extract.columns", "n:$.n"));
                BatchWriter writer = target.openWriter(0)) {
            List<Document> large = List.of(Documents.append(1, table, "{\"n\": 2147483648}"));
            List<Document> both = List.of(large.get(0), Documents.append(2, table, "{\"n\": 1}"));
            assertThatThrownBy(() -> writer.write(both))
                    .isInstanceOfSatisfying(WriteException.class, e -> assertThat(e.refusals())
                            .extracting(Refusal::document)
                            .containsExactlyElementsOf(large));
            STORE.execute("ALTER TABLE " + table + " ALTER n TYPE bigint");

            assertThatThrownBy(() -> writer.write(large))
                    .isInstanceOfSatisfying(
                            WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.BUSY))
                    .hasMessageContaining("the table has been altered");
            assertThat(writer.write(large)).isEmpty();
        }
        assertThat(STORE.column("SELECT n FROM " + table)).containsExactly("2147483648");
    }

    /** COPY sends bytes whose meaning depends on the column's type, and the server takes some of them for another type. */
    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once"})
    void aTypeThatWasChangedGivesNoCopiedValueAnotherMeaning(String guarantee) throws WriteException {
        String table = newTable("doc jsonb, o bigint");
        Map<String, String> settings = Map.of(
                "insert.method",
                "copy",
                "metadata.columns",
                "offset:o",
                "delivery.guarantee",
                guarantee,
                "auto.create",
                "true");
        try (Target target = open(settings);
                BatchWriter writer = target.openWriter(0)) {
            Progress progress = Documents.newAssignment();
            assertThat(writer.write(List.of(Documents.append(progress, 1, table, "{\"a\": 1}"))))
                    .isEmpty();
            STORE.execute("ALTER TABLE " + table + " ALTER doc TYPE text, ALTER o TYPE double precision");
            List<Document> more = List.of(Documents.append(progress, 2, table, "{\"a\": 2}"));

            assertThatThrownBy(() -> writer.write(more))
                    .isInstanceOfSatisfying(
                            WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.BUSY))
                    .hasMessageContaining("the table has been altered");
            assertThat(writer.write(more)).isEmpty();
        }
        assertThat(STORE.column("SELECT doc || ' ' || o FROM " + table + " ORDER BY o"))
                .containsExactly("{\"a\": 1} 1", "{\"a\": 2} 2");
    }

    @ParameterizedTest
    @EnumSource(
            value = InsertMethod.class,
            names = {"VALUES", "UNNEST"})
    void aTypeThatWasChangedGivesNoExtractedValueAnotherMeaning(InsertMethod method) throws WriteException {
        String table = newTable("doc jsonb, station jsonb");
        try (Target target = open(Map.of("insert.method", name(method), "extract.columns", "station:$.station"));
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(List.of(Documents.append(1, table, "{\"station\": \"a\"}"))))
                    .isEmpty();
            STORE.execute("ALTER TABLE " + table + " ALTER station TYPE text USING station #>> '{}'");
            List<Document> more = List.of(Documents.append(2, table, "{\"station\": \"b\"}"));

            assertThatThrownBy(() -> writer.write(more)).hasMessageContaining("the table has been altered");
            assertThat(writer.write(more)).isEmpty();
        }
        assertThat(STORE.column("SELECT station FROM " + table + " ORDER BY 1")).containsExactly("a", "b");
    }

    @ParameterizedTest
    @CsvSource({"values, ignore", "unnest, ignore", "copy, ignore", "values, upsert", "unnest, upsert", "auto, upsert"})
    void anIndexThatIsDroppedDoublesNothing(String method, String mode) throws WriteException {
        String table = newTable(
                "doc jsonb, t text, p int, o bigint, CONSTRAINT the_key_" + method + mode + " UNIQUE (o, p, t)");
        Map<String, String> settings =
                Map.of("insert.method", method, "insert.mode", mode, "pk.mode", "kafka", "pk.fields", "t,p,o");
        List<Document> documents = LongStream.range(0, 1_000)
                .mapToObj(offset -> Documents.append(offset, table, "{}"))
                .toList();
        try (Target target = open(settings);
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(documents)).isEmpty();
            STORE.execute("ALTER TABLE " + table + " DROP CONSTRAINT the_key_" + method + mode);

            assertThatThrownBy(() -> writer.write(documents)).hasMessageContaining("the table has been altered");
            assertThatThrownBy(() -> writer.write(documents))
                    .isInstanceOfSatisfying(
                            WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.FATAL))
                    .hasMessageContaining("42P10");
            STORE.execute("ALTER TABLE " + table + " ADD UNIQUE (t, p, o)");
            assertThat(writer.write(documents)).isEmpty();
        }
        assertThat(STORE.column("SELECT count(*) FROM " + table)).containsExactly("1000");
    }

    /** The old table's index is still there, under the old table's new name. */
    @ParameterizedTest
    @CsvSource({"values, ignore", "copy, ignore", "unnest, upsert", "auto, upsert"})
    void aTableThatTakesThePlaceOfAnotherDoublesNothing(String method, String mode) throws WriteException {
        String table = newTable("doc jsonb, id text UNIQUE");
        Map<String, String> settings =
                Map.of("insert.method", method, "insert.mode", mode, "pk.mode", "record_key", "pk.fields", "id");
        List<Document> documents = LongStream.range(0, 100)
                .mapToObj(offset -> Documents.write(offset, table, "k" + offset, "{}"))
                .toList();
        try (Target target = open(settings);
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(documents)).isEmpty();
            STORE.execute("ALTER TABLE " + table + " RENAME TO \"old " + table.substring(1) + ";" + " CREATE TABLE "
                    + table + " (doc jsonb, id text)");

            assertThatThrownBy(() -> writer.write(documents)).hasMessageContaining("the table has been altered");
            assertThatThrownBy(() -> writer.write(documents)).hasMessageContaining("42P10");
            STORE.execute("ALTER TABLE " + table + " ADD UNIQUE (id)");
            assertThat(writer.write(documents)).isEmpty();
            assertThat(writer.write(documents)).isEmpty();
        }
        assertThat(STORE.column("SELECT count(*) FROM " + table)).containsExactly("100");
    }

    @Test
    void aLengthThatWasChangedRoundsNothingAsBefore() throws WriteException {
        String table = newTable("doc jsonb, id numeric(5,1), level numeric(5,1)");
        Map<String, String> settings = Map.of(
                "pk.mode", "record_key", "pk.fields", "id", "delete.enabled", "true", "extract.columns", "level:$.v");
        try (Target target = open(settings);
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(List.of(
                            Documents.write(1, table, "1.11", "{\"v\": 1.11}"), Documents.delete(2, table, "2.22"))))
                    .isEmpty();
            STORE.execute("ALTER TABLE " + table + " ALTER id TYPE numeric(9,4), ALTER level TYPE numeric(9,4)");

            assertThat(writer.write(List.of(
                            Documents.write(3, table, "3.33", "{\"v\": 3.33}"),
                            Documents.write(4, table, "4.44", "{\"v\": 4.44}"),
                            Documents.delete(5, table, "3.33"))))
                    .isEmpty();
        }
        assertThat(STORE.column("SELECT id || ' ' || level FROM " + table + " ORDER BY 1"))
                .containsExactly("1.1000 1.1000", "4.4400 4.4400");
    }

    @Test
    void aTypeThatWasChangedFailsNoTask() throws WriteException {
        String table = newTable("doc jsonb, id text");
        try (Target target = open(Map.of("pk.mode", "record_key", "pk.fields", "id"));
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(List.of(Documents.write(1, table, "1", "1"))))
                    .isEmpty();
            STORE.execute("ALTER TABLE " + table + " ALTER id TYPE int USING id::int");
            List<Document> more = List.of(Documents.write(2, table, "2", "2"));

            assertThatThrownBy(() -> writer.write(more))
                    .isInstanceOfSatisfying(
                            WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.BUSY));
            assertThat(writer.write(more)).isEmpty();
        }
        assertThat(STORE.column("SELECT id FROM " + table)).containsExactly("1", "2");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void aMissingPartitionIsWaitedForAndNoRecordIsRefusedForIt(InsertMethod method) throws WriteException {
        String table = "\"t" + tables++ + "\"";
        STORE.execute("CREATE TABLE " + table + " (doc jsonb, id int) PARTITION BY RANGE (id)");
        STORE.execute("CREATE TABLE " + table.replace("\"", "") + "_1 PARTITION OF " + table
                + " FOR VALUES FROM (0) TO (100)");
        List<Document> documents = new ArrayList<>();
        for (int n = 0; n < 150; n++) {
            documents.add(Documents.write(n, table, n == 70 ? "x" : Integer.toString(n), "{}"));
        }
        try (Target target = open(Map.of("insert.method", name(method), "pk.mode", "record_key", "pk.fields", "id"));
                BatchWriter writer = target.openWriter(0)) {
            assertThatThrownBy(() -> writer.write(documents)).isInstanceOfSatisfying(WriteException.class, e -> {
                assertThat(e.refusals()).extracting(Refusal::document).containsExactly(documents.get(70));
            });
            documents.remove(70);

            assertThatThrownBy(() -> writer.write(documents))
                    .isInstanceOfSatisfying(WriteException.class, e -> {
                        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
                        assertThat(e.destinations()).containsOnlyKeys(table);
                        assertThat(e.unwritten()).isEqualTo(documents);
                    })
                    .hasMessageContaining("found for row, table " + table.replace("\"", "")
                            + ", SQLSTATE 23514; create the partition");

            STORE.execute("CREATE TABLE " + table.replace("\"", "") + "_2 PARTITION OF " + table
                    + " FOR VALUES FROM (100) TO (200)");
            assertThat(writer.write(documents)).isEmpty();
        }
        assertThat(STORE.column("SELECT count(DISTINCT id) FROM " + table)).containsExactly("149");
    }

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once"})
    void aTableThatOneRecordNamesAndThatIsMissingIsThatRecordsFault(String guarantee) {
        String table = newTable("doc jsonb");
        Map<String, String> settings = connection(exactlyOnce(table, InsertMethod.AUTO));
        settings.put("delivery.guarantee", guarantee);
        settings.put("table.name.format", "${field:$.tenant}");
        Progress assignment = Documents.newAssignment();
        List<Document> documents = List.of(
                Documents.append(assignment, 1, table),
                Documents.append(assignment, 2, "\"nowhere\""),
                Documents.append(assignment, 3, "\"no schema\".\"nowhere\""),
                Documents.append(assignment, 4, table));

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(settings, documents);

        assertThat(refused.keySet()).containsExactly(2L, 3L);
        assertThat(refused.get(2L))
                .hasMessageContaining("relation \"nowhere\" does not exist, SQLSTATE 42P01")
                .hasMessageContaining("\"kind\":\"destination\"");
        assertThat(STORE.column("SELECT doc->>'n' FROM " + table)).containsExactly("1", "4");
    }

    @Test
    void aTableThatTheTopicNamesAndThatIsMissingIsForAHuman() {
        assertThatThrownBy(() -> write(Map.of(), documents("\"nowhere\"", 1)))
                .isInstanceOfSatisfying(
                        WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.FATAL))
                .hasMessageContaining("SQLSTATE 42P01; create the table or change table.name.format");
    }

    @Test
    void aSchemaThatOneRecordNamesAndThatIsMissingIsThatRecordsFault() {
        Map<String, String> settings = connection(Map.of("table.name.format", "${field:$.tenant}.t"));
        settings.put("auto.create", "true");

        Map<Long, RefusedException> refused =
                DeliveredDocuments.refusals(settings, List.of(Documents.append(1, "\"nowhere\".\"t\"", "1")));

        assertThat(refused.get(1L)).hasMessageContaining("SQLSTATE 3F000");
    }

    private static void createTenant() {
        if (STORE.column("SELECT rolname FROM pg_roles WHERE rolname = 'tenant'")
                .isEmpty()) {
            STORE.execute("CREATE ROLE tenant LOGIN PASSWORD 'tenant'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once"})
    void aTableThatOneRecordNamesAndThatIsForbiddenIsThatRecordsFault(String guarantee) {
        createTenant();
        String table = newTable("doc jsonb");
        String readOnly = newTable("doc jsonb");
        Map<String, String> settings = connection(exactlyOnce(table, InsertMethod.AUTO));
        settings.putAll(Map.of(
                "delivery.guarantee", guarantee,
                "table.name.format", "${field:$.tenant}",
                "connection.user", "tenant",
                "connection.password", "tenant"));
        STORE.execute("CREATE SCHEMA IF NOT EXISTS hidden");
        STORE.execute("CREATE TABLE IF NOT EXISTS hidden.t (doc jsonb)");
        STORE.execute("GRANT SELECT, INSERT ON " + table + " TO tenant");
        STORE.execute("GRANT SELECT ON " + readOnly + " TO tenant");
        STORE.execute("GRANT SELECT, INSERT, UPDATE ON tidegate_offsets TO tenant");
        Progress assignment = Documents.newAssignment();
        List<Document> documents = List.of(
                Documents.append(assignment, 1, table),
                Documents.append(assignment, 2, readOnly),
                Documents.append(assignment, 3, "\"hidden\".\"t\""),
                Documents.append(assignment, 4, table));

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(settings, documents);

        assertThat(refused.keySet()).containsExactly(2L, 3L);
        assertThat(refused.get(2L))
                .hasMessageContaining("permission denied for table")
                .hasMessageContaining("\"kind\":\"destination\"");
        assertThat(STORE.column("SELECT doc->>'n' FROM " + table)).containsExactly("1", "4");
    }

    @Test
    void whatATriggerMayNotDoIsForAHumanThoughRecordsNameTheirTables() {
        createTenant();
        String table = newTable("doc jsonb");
        String audit = newTable("doc jsonb");
        STORE.execute("CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO "
                + audit.replace("\"", "") + " VALUES (NEW.doc); RETURN NEW; END'");
        STORE.execute("CREATE TRIGGER audit BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION audit()");
        STORE.execute("GRANT INSERT ON " + table + " TO tenant");
        Map<String, String> settings = connection(Map.of("table.name.format", "${field:$.tenant}"));
        settings.putAll(Map.of("connection.user", "tenant", "connection.password", "tenant"));

        assertThatThrownBy(() -> DeliveredDocuments.refusals(settings, documents(table, 1)))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("permission denied for table " + audit.replace("\"", ""));
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void aRowThatAPolicyForbidsIsRefusedAlone(InsertMethod method) {
        String table = newTable("doc jsonb");
        createTenant();
        STORE.execute("GRANT SELECT, INSERT ON " + table + " TO tenant");
        STORE.execute("ALTER TABLE " + table + " ENABLE ROW LEVEL SECURITY");
        STORE.execute("CREATE POLICY few ON " + table + " USING (true) WITH CHECK ((doc->>'n')::int <> 2)");
        Map<String, String> settings = connection(Map.of("insert.method", name(method)));
        settings.put("connection.user", "tenant");
        settings.put("connection.password", "tenant");

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(settings, documents(table, 5));

        assertThat(refused.keySet()).containsExactly(2L);
        assertThat(refused.get(2L))
                .hasMessageContaining("row-level security policy")
                .hasMessageContaining("\"kind\":\"policy\"");
        assertThat(STORE.column("SELECT count(*) FROM " + table)).containsExactly("4");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void aBatchThatTakesTooLongIsSentInParts(InsertMethod method) {
        String table = newTable("doc jsonb");
        STORE.execute("CREATE OR REPLACE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN PERFORM pg_sleep(0.002); RETURN NEW; END'");
        STORE.execute("CREATE TRIGGER slow BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION slow()");
        Map<String, String> settings = connection(Map.of("insert.method", name(method)));
        settings.put("connection.url", SERVER.jdbcUrl() + "?options=-c%20statement_timeout=250");

        assertThat(DeliveredDocuments.refusals(settings, documents(table, 600))).isEmpty();

        assertThat(STORE.column("SELECT count(*) || ' ' || count(DISTINCT doc) FROM " + table))
                .containsExactly("600 600");
    }

    @ParameterizedTest
    @CsvSource({"values", "unnest"})
    void keysThatAreTooLongMeetNoOtherRow(String method) {
        String table = newTable("doc jsonb, id varchar(10) PRIMARY KEY");
        Map<String, String> settings = connection(Map.of(
                "insert.method",
                method,
                "insert.mode",
                "upsert",
                "delete.enabled",
                "true",
                "pk.mode",
                "record_key",
                "pk.fields",
                "id"));

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                settings,
                List.of(
                        Documents.write(1, table, "abcdefghij", "1"),
                        Documents.write(2, table, "abcdefghijk", "2"),
                        Documents.write(3, table, "abcdefghijl", "3"),
                        Documents.delete(4, table, "abcdefghijm")));

        assertThat(refused.keySet()).containsExactly(2L, 3L);
        assertThat(STORE.column("SELECT id || doc::text FROM " + table)).containsExactly("abcdefghij1");
    }

    @Test
    void aKeyIsDeletedAsItWasRounded() throws WriteException {
        String table = newTable("doc jsonb, id numeric(10,2), at timestamptz(0), PRIMARY KEY (id, at)");
        Map<String, String> settings = Map.of("insert.mode", "upsert", "pk.mode", "record_key", "pk.fields", "id,at");
        String key = "[\"1.005\",\"2015-01-01T00:00:00.6Z\"]";
        write(settings, List.of(Documents.write(1, table, key, "1")));
        assertThat(STORE.column("SELECT id FROM " + table)).containsExactly("1.01");

        write(settings, List.of(Documents.delete(2, table, key)));

        assertThat(STORE.column("SELECT id FROM " + table)).isEmpty();
    }

    private static Map<String, String> keyed(String mode) {
        return connection(
                Map.of("insert.mode", mode, "delete.enabled", "true", "pk.mode", "record_key", "pk.fields", "id"));
    }

    /** A type of keys, and two texts that are one value in it. */
    private static List<Arguments> keysOfTwoForms() {
        List<Arguments> keys = new ArrayList<>(List.of(
                Arguments.of("uuid", "00000000-0000-0000-0000-00000000002a", "00000000-0000-0000-0000-00000000002A"),
                Arguments.of("int", "42", "042"),
                Arguments.of("numeric", "42", "42.0"),
                Arguments.of("numeric(10,1)", "42.1", "42.11"),
                Arguments.of("char(5)", "a", "a "),
                Arguments.of("timestamptz", "2015-01-01T00:00:00Z", "2015-01-01T01:00:00+01:00")));
        if (!STORE.column("SELECT name FROM pg_available_extensions WHERE name = 'citext'")
                .isEmpty()) {
            STORE.execute("CREATE EXTENSION IF NOT EXISTS citext");
            keys.add(Arguments.of("citext", "a", "A"));
        }
        if (!STORE.column("SELECT collname FROM pg_collation WHERE collname = 'und-x-icu'")
                .isEmpty()) {
            STORE.execute("CREATE COLLATION IF NOT EXISTS any_case (provider = icu, locale = 'und-u-ks-level2',"
                    + " deterministic = false)");
            keys.add(Arguments.of("text COLLATE any_case", "a", "A"));
        }
        return keys;
    }

    @ParameterizedTest
    @MethodSource("keysOfTwoForms")
    void writesAndDeletionsOfAKeyOfTwoFormsKeepTheirOrder(String type, String key, String same) {
        String table = newTable("doc jsonb, id " + type + " PRIMARY KEY");
        String other = type.startsWith("text") || type.equals("citext") || type.startsWith("char")
                ? "b"
                : type.equals("uuid")
                        ? "00000000-0000-0000-0000-000000000001"
                        : type.startsWith("timestamptz") ? "2015-01-02T00:00:00Z" : "7";

        assertThat(DeliveredDocuments.refusals(
                        keyed("upsert"),
                        List.of(
                                Documents.write(1, table, other, "1"),
                                Documents.delete(2, table, same),
                                Documents.write(3, table, key, "3"))))
                .isEmpty();
        assertThat(STORE.column("SELECT doc FROM " + table + " ORDER BY doc")).containsExactly("1", "3");

        assertThat(DeliveredDocuments.refusals(
                        keyed("upsert"),
                        List.of(
                                Documents.delete(4, table, other),
                                Documents.write(5, table, same, "5"),
                                Documents.delete(6, table, key))))
                .isEmpty();
        assertThat(STORE.column("SELECT doc FROM " + table)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("keysOfTwoForms")
    void everyDocumentOfAKeyOfTwoFormsIsMergedInItsOrder(String type, String key, String same) {
        String table = newTable("doc jsonb, id " + type + " PRIMARY KEY");

        assertThat(DeliveredDocuments.refusals(
                        keyed("merge"),
                        List.of(
                                Documents.write(1, table, key, "{\"n\": 1}"),
                                Documents.write(2, table, key, "{\"n\": 2}"),
                                Documents.write(3, table, same, "{\"n\": 3}"))))
                .isEmpty();

        assertThat(STORE.column("SELECT doc FROM " + table)).containsExactly("{\"n\": 3}");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void aColumnThatWouldCutValuesIsForAHuman(InsertMethod method) {
        for (String type : List.of("name", "\"char\"", "name[]", "\"char\"[]")) {
            String table = newTable("doc jsonb, id " + type);
            Map<String, String> settings =
                    Map.of("insert.method", name(method), "pk.mode", "record_key", "pk.fields", "id");

            assertThatThrownBy(() -> write(settings, List.of(Documents.write(1, table, "{abc}", "1"))))
                    .isInstanceOfSatisfying(
                            WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.FATAL))
                    .hasMessageContaining("is of type " + type + ", which silently truncates longer values");
        }
    }

    @Test
    void columnsThatACopyDoesNotFitAreWrittenAllTheSame() throws WriteException {
        String table = newTable("doc json, t varchar(20), p bigint, o numeric");

        write(Map.of("pk.mode", "kafka", "pk.fields", "t,p,o"), documents(table, 300));

        assertThat(STORE.column("SELECT count(*) || ' ' || sum(o) FROM " + table))
                .containsExactly("300 44850");
    }

    @Test
    void aBatchMayGoToSeveralTables() throws WriteException {
        String one = newTable("doc jsonb");
        String two = newTable("doc jsonb");

        write(
                Map.of(),
                List.of(Documents.append(1, one, "1"), Documents.append(2, two, "2"), Documents.append(3, one, "3")));

        assertThat(STORE.column("SELECT doc FROM " + one)).containsExactly("1", "3");
        assertThat(STORE.column("SELECT doc FROM " + two)).containsExactly("2");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void exactlyOnceNeedsNoKey(InsertMethod method) throws WriteException {
        String table = newTable("doc jsonb");
        Map<String, String> settings = exactlyOnce(table, method);
        Progress first = Documents.newAssignment();
        write(settings, appends(first, 0, 1_500, table));
        write(settings, appends(Documents.newAssignment(), 500, 2_500, table));
        write(settings, appends(Documents.newAssignment(), 2_490, 2_500, table));

        assertThat(STORE.column("SELECT count(*) || ' ' || count(DISTINCT doc) FROM " + table))
                .containsExactly("2500 2500");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void whoLostAPartitionWritesNothing(InsertMethod method) throws WriteException {
        String table = newTable("doc jsonb");
        Map<String, String> settings = exactlyOnce(table, method);
        Progress old = Documents.newAssignment();
        try (Target target = open(settings);
                BatchWriter stale = target.openWriter(0)) {
            stale.write(appends(old, 0, 1_000, table));
            write(settings, appends(Documents.newAssignment(), 1_000, 2_000, table));

            assertThatThrownBy(() -> stale.write(appends(old, 1_000, 3_000, table)))
                    .isInstanceOfSatisfying(
                            WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.BUSY))
                    .hasMessageContaining("the server's offsets are not what this task knew of them");
            assertThat(old.givenUp()).contains(new Progress.GivenUp(1_000, true));
        }
        assertThat(STORE.column("SELECT count(*) || ' ' || count(DISTINCT doc) FROM " + table))
                .containsExactly("2000 2000");
    }

    @Test
    void aPartitionThatAnotherTaskHasClaimedHoldsUpNoOther() throws WriteException {
        String table = newTable("doc jsonb");
        Map<String, String> settings = exactlyOnce(table, InsertMethod.AUTO);
        Progress lost = Documents.newAssignment();
        Progress kept = new Progress(new TopicPartition("readings", 4), 1);
        try (Target target = open(settings);
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(appends(lost, 0, 10, table))).isEmpty();
            write(settings, appends(Documents.newAssignment(), 10, 20, table));
            List<Document> both = new ArrayList<>(appends(lost, 10, 30, table));
            both.addAll(appends(kept, 100, 110, table));

            assertThatThrownBy(() -> writer.write(both)).isInstanceOf(WriteException.class);
            assertThat(writer.write(both)).isEmpty();
        }
        assertThat(lost.isRevoked()).isTrue();
        assertThat(kept.isRevoked()).isFalse();
        assertThat(STORE.column("SELECT count(*) || ' ' || max((doc->>'n')::int) FROM " + table))
                .containsExactly("30 109");
    }

    @Test
    void aResetOfOnePartitionLeavesTheOthersAndIsOneStatement() throws WriteException {
        String table = newTable("doc jsonb");
        Map<String, String> settings = exactlyOnce(table, InsertMethod.AUTO);
        List<TopicPartition> partitions = IntStream.range(5, 9)
                .mapToObj(number -> new TopicPartition("readings", number))
                .toList();
        for (TopicPartition partition : partitions) {
            write(settings, appends(new Progress(partition, 1), 0, 100, table));
        }
        Map<TopicPartition, Long> changes = new HashMap<>();
        changes.put(partitions.get(0), null);
        changes.put(partitions.get(1), 60L);

        new JsonbSinkConnector().alterOffsets(connection(settings), changes);

        assertThat(offsetsOf(settings)).containsExactly("6 60", "7 100", "8 100");
        new JsonbSinkConnector().alterOffsets(connection(settings), Collections.singletonMap(partitions.get(2), null));
        assertThat(offsetsOf(settings)).containsExactly("6 60", "8 100");
        new JsonbSinkConnector().alterOffsets(connection(settings), Map.of());
        assertThat(offsetsOf(settings))
                .as("Kafka's group has no offsets, and all are reset")
                .isEmpty();
    }

    /** Connect asks the sink before Kafka, which refuses a partition that does not exist. It may exist later. */
    @Test
    void anOffsetForAPartitionWithoutAnEntryIsLeftToKafka() throws WriteException {
        String table = newTable("doc jsonb");
        Map<String, String> settings = exactlyOnce(table, InsertMethod.AUTO);
        Progress written = new Progress(new TopicPartition("readings", 0), 1);
        Progress none = new Progress(new TopicPartition("readings", 1), 1);
        write(settings, appends(written, 0, 10, table));

        new JsonbSinkConnector()
                .alterOffsets(connection(settings), Map.of(written.partition(), 5L, none.partition(), 30L));

        assertThat(offsetsOf(settings)).containsExactly("0 5");
        write(settings, appends(none, 0, 10, table));
        assertThat(STORE.column("SELECT count(*) FROM " + table)).containsExactly("20");
    }

    /** A transform may make anything of a record, and another one at any time. */
    @Test
    void whatATransformMayHaveMadeIsNotComparedWithAnotherTransforms() throws WriteException {
        String table = newTable("doc jsonb");
        Map<String, String> plain = exactlyOnce(table, InsertMethod.AUTO);
        Map<String, String> clock = new HashMap<>(plain);
        clock.putAll(Map.of("transforms", "now", "transforms.now.type", "Clock"));
        byte[] json = "{\"n\": 1}".getBytes(StandardCharsets.UTF_8);
        TopicPartition partition = new TopicPartition("readings", 9);
        SinkRecord record = new SinkRecord("readings", 9, null, null, null, json, 0, 7L, TimestampType.CREATE_TIME);

        write(plain, List.of(Document.write(record, new Progress(partition, 1), table, Document.NO_KEY, json)));
        assertThat(lastRecord(plain, partition)).isEqualTo(Fingerprint.of(record));
        assertThat(lastRecord(clock, partition).isComparable()).isFalse();

        SinkRecord next = new SinkRecord("readings", 9, null, null, null, json, 1, 8L, TimestampType.CREATE_TIME);
        write(clock, List.of(Document.write(next, new Progress(partition, 1), table, Document.NO_KEY, json)));
        assertThat(lastRecord(clock, partition)).isEqualTo(new Fingerprint(1, 8, OptionalLong.empty()));
        assertThat(lastRecord(plain, partition).isComparable()).isFalse();
    }

    private static Fingerprint lastRecord(Map<String, String> settings, TopicPartition partition)
            throws WriteException {
        Progress progress = new Progress(partition, 1);
        try (Target target = open(settings);
                BatchWriter writer = target.openWriter(0)) {
            return writer.offsets()
                    .orElseThrow()
                    .claim(List.of(progress))
                    .get(progress)
                    .orElseThrow()
                    .lastRecord()
                    .orElseThrow();
        }
    }

    private static List<String> offsetsOf(Map<String, String> settings) {
        return STORE.column("SELECT partition || ' ' || next_offset FROM tidegate_offsets WHERE connector = '"
                + settings.get("name") + "' ORDER BY partition");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void aPoisonRecordMovesNoOffset(InsertMethod method) throws WriteException {
        String table = newTable("doc jsonb");
        Map<String, String> settings = exactlyOnce(table, method);
        Progress assignment = Documents.newAssignment();
        List<Document> documents = appends(assignment, 0, 1_500, table);
        documents.set(700, Documents.append(assignment, 700, table, "{\"never\": \"closed"));

        assertThatThrownBy(() -> write(settings, documents))
                .isInstanceOfSatisfying(
                        WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.REJECTED))
                .hasMessageContaining("SQLSTATE 22P02");
        assertThat(STORE.column("SELECT doc FROM " + table)).isEmpty();

        documents.remove(700);
        write(settings, documents);
        assertThat(STORE.column("SELECT count(*) FROM " + table)).containsExactly("1499");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void aDuplicateKeyIsRefusedAndMovesNoOffsetWithoutItsRows(InsertMethod method) throws WriteException {
        String table = newTable("doc jsonb, t text, p int, o bigint, UNIQUE (t, p, o)");
        Map<String, String> settings = new HashMap<>(exactlyOnce(table, method));
        settings.put("metadata.columns", "topic:t,partition:p,offset:o");
        List<Document> documents = appends(Documents.newAssignment(), 0, 1_500, table);
        STORE.execute("INSERT INTO " + table + " VALUES ('{\"n\": -1}', 'readings', 3, 700)");

        assertThatThrownBy(() -> write(settings, documents))
                .isInstanceOfSatisfying(WriteException.class, e -> {
                    assertThat(e.failure()).isEqualTo(Failure.REJECTED);
                    assertThat(e.refusals()).extracting(Refusal::document).containsExactly(documents.get(700));
                })
                .hasMessageContaining("SQLSTATE 23505");
        assertThat(STORE.column("SELECT o FROM " + table)).containsExactly("700");
        assertThat(offsetsOf(settings)).containsExactly("3 0");

        documents.remove(700);
        write(settings, documents);
        assertThat(STORE.column("SELECT count(*) FROM " + table)).containsExactly("1500");
        assertThat(offsetsOf(settings)).containsExactly("3 1500");
    }

    @Test
    void aDivisionByZeroOfTheTableItselfIsTheRecordsFault() {
        String table = newTable("doc jsonb, share int GENERATED ALWAYS AS (1 / (doc->>'n')::int) STORED");
        Map<String, String> settings = exactlyOnce(table, InsertMethod.UNNEST);
        List<Document> documents = appends(Documents.newAssignment(), 0, 3, table);

        assertThatThrownBy(() -> write(settings, documents))
                .isInstanceOfSatisfying(WriteException.class, e -> {
                    assertThat(e.failure()).isEqualTo(Failure.REJECTED);
                    assertThat(e.refusals()).extracting(Refusal::document).containsExactly(documents.get(0));
                })
                .hasMessageContaining("SQLSTATE 22012");
    }

    @Test
    void exactlyOnceSpansTheTablesOfABatch() throws WriteException {
        String one = newTable("doc jsonb");
        String two = newTable("doc jsonb");
        Map<String, String> settings = exactlyOnce(one, InsertMethod.AUTO);
        Progress first = Documents.newAssignment();
        write(
                settings,
                List.of(
                        Documents.append(first, 1, one),
                        Documents.append(first, 2, two),
                        Documents.append(first, 3, one)));
        Progress again = Documents.newAssignment();
        write(settings, List.of(Documents.append(again, 2, two), Documents.append(again, 3, one)));

        assertThat(STORE.column("SELECT doc FROM " + one + " UNION ALL SELECT doc FROM " + two))
                .hasSize(3);
    }

    @Test
    void offsetsThatAreSetBackLetRecordsBeWrittenAgain() throws WriteException {
        String table = newTable("doc jsonb");
        Map<String, String> settings = exactlyOnce(table, InsertMethod.AUTO);
        write(settings, appends(Documents.newAssignment(), 0, 100, table));

        new JsonbSinkConnector()
                .alterOffsets(
                        connection(settings), Map.of(Documents.newAssignment().partition(), 60L));
        write(settings, appends(Documents.newAssignment(), 0, 100, table));

        assertThat(STORE.column("SELECT count(*) || ' ' || count(DISTINCT doc) FROM " + table))
                .containsExactly("140 100");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void offsetsThatAreSetBackDoubleAndRefuseNoRowThatItsCoordinatesTell(InsertMethod method) throws WriteException {
        String table = newTable("doc jsonb, t text, p int, o bigint, UNIQUE (t, p, o)");
        Map<String, String> settings = new HashMap<>(exactlyOnce(table, method));
        settings.put("metadata.columns", "topic:t,partition:p,offset:o");
        write(settings, appends(Documents.newAssignment(), 0, 1_000, table));

        new JsonbSinkConnector()
                .alterOffsets(
                        connection(settings), Map.of(Documents.newAssignment().partition(), 60L));
        write(settings, appends(Documents.newAssignment(), 60, 1_500, table));

        assertThat(STORE.column("SELECT count(*) || ' ' || count(DISTINCT o) FROM " + table))
                .containsExactly("1500 1500");
        assertThat(offsetsOf(settings)).containsExactly("3 1500");
    }

    @Test
    void aMissingOffsetsTableIsNamedWithItsRemedy() {
        Map<String, String> settings = new HashMap<>(exactlyOnce(newTable("doc jsonb"), InsertMethod.AUTO));
        settings.put("offsets.table", "nowhere");

        assertThatThrownBy(() -> write(settings, documents("t", 1)))
                .isInstanceOfSatisfying(
                        WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.FATAL))
                .hasMessageContaining("CREATE TABLE IF NOT EXISTS \"nowhere\" (connector text, ");
    }

    private static Map<String, String> exactlyOnce(String table, InsertMethod method) {
        STORE.execute("CREATE TABLE IF NOT EXISTS tidegate_offsets (connector text, topic text, partition integer,"
                + " next_offset bigint NOT NULL, generation bigint NOT NULL, record_offset bigint,"
                + " record_timestamp bigint, record_hash bigint, record_rules bigint, PRIMARY KEY (connector,"
                + " topic, partition))");
        return Map.of("name", table, "delivery.guarantee", "exactly_once", "insert.method", name(method));
    }

    private static List<Document> appends(Progress assignment, int first, int end, String table) {
        List<Document> documents = new ArrayList<>();
        for (int offset = first; offset < end; offset++) {
            documents.add(Documents.append(assignment, offset, table));
        }
        return documents;
    }

    private static String name(InsertMethod method) {
        return method.name().toLowerCase(Locale.ROOT);
    }
}
