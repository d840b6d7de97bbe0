package io.tidegate.connect.jsonb.write;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.testkit.postgres.PgBouncer;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Skip;
import java.math.BigDecimal;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns that the sink adds for fields, on a real PostgreSQL. */
final class ColumnAdditionIT {
    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();
    private static final PostgresStore STORE = new PostgresStore(SERVER);
    private static int tables;

    @BeforeAll
    static void start() {
        SERVER.start();
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    private static String newTable(String columns) {
        String table = "added" + tables++;
        STORE.execute("CREATE TABLE " + table + " (" + columns + ")");
        return '"' + table + '"';
    }

    private static Map<String, String> settings(String... more) {
        return STORE.connected(Props.of("columns.from.fields=add " + String.join(" ", more)));
    }

    private static List<String> rows(String table) {
        return STORE.column("SELECT row_to_json(t)::text FROM " + table + " AS t ORDER BY 1");
    }

    private static String types(String table) {
        return STORE
                .column("SELECT a.attname || ' ' || format_type(a.atttypid, a.atttypmod) FROM pg_attribute a"
                        + " WHERE a.attrelid = '" + table + "'::regclass AND a.attnum > 0 AND NOT a.attisdropped"
                        + " ORDER BY a.attnum")
                .stream()
                .collect(joining(", "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "unnest", "values", "copy"})
    void aNewFieldGetsAColumnOfATypeForItsValues(String method) {
        String table = newTable("n int, doc jsonb");

        assertThat(DeliveredDocuments.refusals(
                        settings("insert.method=" + method),
                        List.of(
                                Documents.append(1, table, "{\"n\": 1, \"t\": \"x\", \"b\": true, \"nothing\": null}"),
                                Documents.append(
                                        2, table, "{\"n\": 2, \"f\": 1.50, \"o\": {\"p\": [1]}, \"mixed\": 1}"),
                                Documents.append(3, table, "{\"n\": 3, \"mixed\": \"one\", \"q\\\"'; --\": [2]}"),
                                Documents.append(4, table, "[4]"))))
                .isEmpty();

        assertThat(types(table))
                .isEqualTo("n integer, doc jsonb, t text, b boolean, f numeric, o jsonb, mixed text, q\"'; -- jsonb");
        assertThat(STORE.column("SELECT concat_ws('|', n, doc, t, b, f, o, mixed, \"q\"\"'; --\") FROM " + table
                        + " ORDER BY n"))
                .containsExactly("1|{\"nothing\": null}|x|t", "2|1.50|{\"p\": [1]}|1", "3|one|[2]", "[4]");
    }

    /** Two tables in a batch, as a template for names gives them, before and after a field that both get. */
    @ParameterizedTest
    @CsvSource({
        "TRANSACTION, at_least_once",
        "TRANSACTION, exactly_once",
        "STATEMENT, at_least_once",
        "STATEMENT, exactly_once"
    })
    void poolersTakeTheNewColumnsOfSeveralTables(PgBouncer.PoolMode mode, String guarantee) {
        if (!PgBouncer.isInstalled()) {
            Skip.loudly(ColumnAdditionIT.class, "no pgbouncer is installed (Debian: apt-get install pgbouncer)");
        }
        String one = newTable("n int, doc jsonb");
        String other = newTable("n int, doc jsonb");
        Map<String, String> settings = new HashMap<>(settings(
                "delivery.guarantee=" + guarantee, "auto.create=true", "offsets.table=offsets_" + mode + guarantee));
        Progress assignment = Documents.newAssignment();
        try (PgBouncer pooler = PgBouncer.inFrontOf(SERVER, mode)) {
            pooler.start();
            settings.put("connection.url", pooler.jdbcUrl());

            assertThat(DeliveredDocuments.refusals(
                            settings,
                            List.of(
                                    Documents.append(assignment, 0, one, "{\"n\": 1}"),
                                    Documents.append(assignment, 1, other, "{\"n\": 2, \"b\": true}"),
                                    Documents.append(assignment, 2, one, "{\"n\": 3, \"b\": \"x\"}"),
                                    Documents.append(assignment, 3, other, "{\"n\": \"x\", \"c\": 1}"),
                                    Documents.append(assignment, 4, other, "{\"n\": 4, \"c\": \"y\"}"))))
                    .containsOnlyKeys(3L);
        }

        assertThat(types(one)).isEqualTo("n integer, doc jsonb, b text");
        assertThat(types(other)).startsWith("n integer, doc jsonb, b boolean, c ");
        assertThat(STORE.column("SELECT concat_ws('|', n, b) FROM " + one + " ORDER BY n"))
                .containsExactly("1", "3|x");
        assertThat(STORE.column("SELECT concat_ws('|', n, b, c) FROM " + other + " ORDER BY n"))
                .containsExactly("2|t", "4|y");
    }

    /** PostgreSQL would cut the one name, and has the other already. */
    @Test
    void aFieldWhoseNameNoColumnCanHaveStaysInTheRest() {
        String table = newTable("n int, doc jsonb");
        String rest = "{\"" + "é".repeat(32) + "\": 1, \"\": 2, \"ctid\": 3}";

        assertThat(DeliveredDocuments.refusals(
                        settings(),
                        List.of(Documents.append(1, table, rest), Documents.append(2, table, "{\"n\": 2}"))))
                .isEmpty();

        assertThat(types(table)).isEqualTo("n integer, doc jsonb");
        assertThat(STORE.column("SELECT count(*) FROM " + table + ", jsonb_object_keys(doc)"))
                .containsExactly("3");
    }

    @Test
    void aDocumentThatIsRefusedHasNoSayInTheTypes() {
        String table = newTable("doc jsonb");

        assertThat(DeliveredDocuments.refusals(
                        settings(),
                        List.of(
                                Documents.append(1, table, "{\"n\": \"x\", \"m\": 1"),
                                Documents.append(2, table, "{\"n\": 2}"),
                                Documents.append(3, table, "{\"n\": \"x\"} y"))))
                .containsOnlyKeys(1L, 3L);

        assertThat(types(table)).isEqualTo("doc jsonb, n numeric");
    }

    private static final Schema ROW = SchemaBuilder.struct()
            .field("small", Schema.INT16_SCHEMA)
            .field("number", Schema.OPTIONAL_INT64_SCHEMA)
            .field("half", Schema.FLOAT32_SCHEMA)
            .field("price", Decimal.schema(2))
            .field("day", Date.SCHEMA)
            .field("id", SchemaBuilder.string().name("io.debezium.data.Uuid").build())
            .field("list", SchemaBuilder.array(Schema.STRING_SCHEMA).build())
            .field("raw", Schema.BYTES_SCHEMA)
            .field("at", Timestamp.SCHEMA)
            .field("clock", Time.SCHEMA)
            .build();

    private static Struct row() {
        return new Struct(ROW)
                .put("small", (short) 1)
                .put("number", 2L)
                .put("half", 0.5f)
                .put("price", new BigDecimal("9.50"))
                .put("day", java.util.Date.from(Instant.EPOCH))
                .put("id", "00000000-0000-0000-0000-000000000001")
                .put("list", List.of("a"))
                .put("raw", new byte[] {1, 2, (byte) 0xff})
                .put("at", java.util.Date.from(Instant.ofEpochMilli(1_500)))
                .put("clock", java.util.Date.from(Instant.ofEpochMilli(1_500)));
    }

    /** Maps a record as a task does, and writes it. */
    private static void deliver(Map<String, String> settings, SinkRecord record) {
        Document document;
        try (Target target = new PostgresTargetType().open(settings)) {
            document = target.mapper()
                    .map(record, new Progress(new TopicPartition(record.topic(), 3), 1))
                    .orElseThrow();
        }
        assertThat(DeliveredDocuments.refusals(settings, List.of(document))).isEmpty();
    }

    private static final String TYPES = "small smallint, number bigint, half real, price numeric, day date, id uuid,"
            + " list jsonb, raw bytea, at timestamp with time zone, clock time without time zone";
    private static final String VALUES = "\"small\":1,\"number\":2,\"half\":0.5,\"price\":9.50,\"day\":\"1970-01-01\","
            + "\"id\":\"00000000-0000-0000-0000-000000000001\",\"list\":[\"a\"],\"raw\":\"\\\\x0102ff\","
            + "\"at\":\"1970-01-01T00:00:01.5+00:00\",\"clock\":\"00:00:01.5\"}";

    @ParameterizedTest
    @ValueSource(strings = {"auto", "values"})
    void aSchemaSaysTheTypes(String method) {
        String table = newTable("n int, doc jsonb");
        SinkRecord record = new SinkRecord(table.replace("\"", ""), 3, null, null, ROW, row(), 1);

        deliver(settings("insert.method=" + method), record);

        assertThat(types(table)).isEqualTo("n integer, doc jsonb, " + TYPES);
        assertThat(rows(table)).containsExactly("{\"n\":null,\"doc\":null," + VALUES);
    }

    /** The schema is the record's, or in its JSON. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSchemaOfAnEventsRowSaysTheTypes(boolean isJson) {
        String table = newTable("doc jsonb");

        deliver(settings("value.envelope=debezium"), event(table, isJson));

        assertThat(types(table)).isEqualTo("doc jsonb, " + TYPES);
        assertThat(rows(table)).containsExactly("{\"doc\":null," + VALUES);
    }

    private static SinkRecord event(String table, boolean isJson) {
        return event(table, row(), isJson);
    }

    private static SinkRecord event(String table, Struct row, boolean isJson) {
        String topic = table.replace("\"", "");
        Schema schema = SchemaBuilder.struct()
                .field("after", row.schema())
                .field("op", Schema.STRING_SCHEMA)
                .build();
        Struct event = new Struct(schema).put("after", row).put("op", "c");
        if (!isJson) {
            return new SinkRecord(topic, 3, null, null, schema, event, 1);
        }
        try (JsonConverter converter = new JsonConverter()) {
            converter.configure(Map.of("schemas.enable", "true"), false);
            return new SinkRecord(topic, 3, null, null, null, converter.fromConnectData(topic, schema, event), 1);
        }
    }

    /** The first answer was lost, and the setting was changed before the record came again. */
    @Test
    void aRowIsKnownAlsoIfTheSchemaSaidOtherTypesForItsFields() {
        String table = newTable("__connect_topic text, __connect_partition int, __connect_offset bigint, doc jsonb,"
                + " UNIQUE (__connect_topic, __connect_partition, __connect_offset)");
        SinkRecord record = new SinkRecord(table.replace("\"", ""), 3, null, null, ROW, row(), 1);
        String metadata = " metadata.columns=topic,partition,offset";
        deliver(STORE.connected(Props.of("columns.from.fields=known" + metadata)), record);
        List<String> stored = STORE.column("SELECT doc::text FROM " + table);

        deliver(settings(metadata.strip()), record);

        assertThat(types(table)).endsWith(TYPES);
        assertThat(STORE.column("SELECT doc::text FROM " + table)).isEqualTo(stored);
    }

    /** Bytes are a string in the JSON, which is not what such a column stands for. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "unnest", "values", "copy"})
    void bytesOfASchemaGoIntoAColumnOfBytesAsTheyAre(String method) {
        String table = newTable("raw bytea, doc jsonb");
        SinkRecord record = new SinkRecord(table.replace("\"", ""), 3, null, null, ROW, row(), 1);

        deliver(STORE.connected(Props.of("columns.from.fields=known insert.method=" + method)), record);

        assertThat(STORE.column("SELECT concat_ws(' ', raw, doc->>'small') FROM " + table))
                .containsExactly("\\x0102ff 1");
    }

    /** The server can no longer compare the key with the text of a deletion. Its error is that of a missing function. */
    @Test
    void aKeyThatWasRetypedIsNotTakenForALackOfTheServer() throws InterruptedException {
        String table = newTable("id text PRIMARY KEY, doc jsonb");
        Progress assignment = Documents.newAssignment();
        try (Target target = new PostgresTargetType()
                        .open(settings("insert.mode=upsert pk.mode=record_key pk.fields=id delete.enabled=true"));
                BatchWriter writer = target.openWriter(0)) {
            DeliveredDocuments lane = DeliveredDocuments.to(target, writer, assignment);
            lane.deliver(List.of(Documents.write(assignment, 0, table, "1", "{}")));
            STORE.execute("ALTER TABLE " + table + " ALTER id TYPE bigint USING id::bigint");
            lane.deliver(List.of(Documents.delete(assignment, 1, table, "1")));

            assertThat(lane.deliver(List.of(Documents.write(assignment, 2, table, "2", "{\"later\":true}"))))
                    .isEmpty();
        }
        assertThat(types(table)).isEqualTo("id bigint, doc jsonb, later boolean");
    }

    @Test
    void bytesOfAnEventInJsonDoSoToo() {
        String table = newTable("raw bytea, doc jsonb");

        deliver(STORE.connected(Props.of("columns.from.fields=known value.envelope=debezium")), event(table, true));

        assertThat(STORE.column("SELECT concat_ws(' ', raw, doc->>'small') FROM " + table))
                .containsExactly("\\x0102ff 1");
    }

    @ParameterizedTest
    @CsvSource({"auto, false", "unnest, false", "values, false", "copy, false", "auto, true", "values, true"})
    void soDoThoseInArrays(String method, boolean isEvent) {
        String table = newTable("raws bytea[], deep bytea[], doc jsonb");
        Schema raws = SchemaBuilder.array(Schema.OPTIONAL_BYTES_SCHEMA).build();
        Schema schema = SchemaBuilder.struct()
                .field("raws", raws)
                .field("deep", SchemaBuilder.array(raws).build())
                .build();
        List<byte[]> bytes = Arrays.asList(new byte[] {1, 2, (byte) 0xff}, null, new byte[0]);
        Struct row = new Struct(schema).put("raws", bytes).put("deep", List.of(bytes, bytes));

        deliver(
                STORE.connected(Props.of("columns.from.fields=known insert.method=" + method
                        + (isEvent ? " value.envelope=debezium" : ""))),
                isEvent
                        ? event(table, row, true)
                        : new SinkRecord(table.replace("\"", ""), 3, null, null, schema, row, 1));

        String array = "{\"\\\\x0102ff\",NULL,\"\\\\x\"}";
        assertThat(STORE.column("SELECT concat_ws(' ', raws, deep) FROM " + table))
                .containsExactly(array + " {" + array + "," + array + "}");
    }

    private static final Schema COUNTS = counts();

    private static Schema counts() {
        SchemaBuilder row = SchemaBuilder.struct().field("zoned", count("MicroTimestamp", SchemaBuilder.int64()));
        for (String micros : List.of("MicroTime", "MicroTimestamp", "MicroDuration")) {
            row.field(micros, count(micros, SchemaBuilder.int64()));
            row.field(micros.replace("Micro", "Nano"), count(micros.replace("Micro", "Nano"), SchemaBuilder.int64()));
        }
        return row.field("Date", count("Date", SchemaBuilder.int32()))
                .field("Time", count("Time", SchemaBuilder.int32()))
                .field("Timestamp", count("Timestamp", SchemaBuilder.int64()))
                .field("Year", count("Year", SchemaBuilder.int32()))
                .field(
                        "waits",
                        SchemaBuilder.array(count("MicroDuration", SchemaBuilder.int64()))
                                .build())
                .build();
    }

    private static Schema count(String name, SchemaBuilder number) {
        return number.optional().name("io.debezium.time." + name).build();
    }

    private static Struct countsRow() {
        return new Struct(COUNTS)
                .put("zoned", 1_764_460_800_123_456L)
                .put("MicroTime", 36_930_250_000L)
                .put("NanoTime", 86_400_000_000_000L)
                .put("MicroTimestamp", 9_223_372_036_825_200_000L)
                .put("NanoTimestamp", 1_764_460_800_000_001_000L)
                .put("MicroDuration", 3_600_000_000L)
                .put("NanoDuration", -5_400_500_000_000L)
                .put("Date", 20_422)
                .put("Time", 101_530)
                .put("Timestamp", -1L)
                .put("Year", 2026)
                .put("waits", Arrays.asList(1_500_000L, null));
    }

    private static final String TIMES =
            "{\"zoned\":\"2025-11-30T00:00:00.123456+00:00\",\"waits\":[\"00:00:01.5\",null],"
                    + "\"MicroTime\":\"10:15:30.25\",\"NanoTime\":\"24:00:00\",\"MicroTimestamp\":\"infinity\","
                    + "\"NanoTimestamp\":\"2025-11-30T00:00:00.000001\",\"MicroDuration\":\"01:00:00\","
                    + "\"NanoDuration\":\"-01:30:00.5\",\"Date\":\"2025-11-30\",\"Time\":\"00:01:41.53\","
                    + "\"Timestamp\":\"1969-12-31T23:59:59.999\",\"Year\":2026}";

    /** The server would take a number for seconds, or for the digits of a time. */
    @ParameterizedTest
    @CsvSource({"auto, none", "unnest, struct", "values, json", "copy, none", "copy, json"})
    void whatDebeziumCountsIsATime(String method, String envelope) {
        String table = newTable("zoned timestamptz, waits interval[]");
        Map<String, String> settings = settings("unknown.fields=refuse insert.method=" + method
                + (envelope.equals("none") ? "" : " value.envelope=debezium"));

        deliver(
                settings,
                envelope.equals("none")
                        ? new SinkRecord(table.replace("\"", ""), 3, null, null, COUNTS, countsRow(), 1)
                        : event(table, countsRow(), envelope.equals("json")));

        assertThat(types(table))
                .isEqualTo("zoned timestamp with time zone, waits interval[],"
                        + " MicroTime time without time zone, NanoTime time without time zone,"
                        + " MicroTimestamp timestamp without time zone, NanoTimestamp timestamp without time zone,"
                        + " MicroDuration interval, NanoDuration interval, Date date, Time time without time zone,"
                        + " Timestamp timestamp without time zone, Year integer");
        assertThat(rows(table)).containsExactly(TIMES);
    }

    /** The server would take a day of a timestamp, and 20422 for a time. */
    @ParameterizedTest
    @CsvSource({
        "Timestamp, 1764460800000, '{\"n\":1,\"d\":\"2025-11-30\"}', ''",
        "Timestamp, 1764547199123, '', 'the field d is a timestamp, of which date would keep only a part'",
        "'', 20422, '', the field d is a number whose schema is no time of Debezium or Connect"
    })
    void aTimestampIsNotCutToADate(String schema, long count, String row, String message) {
        String table = newTable("n int, d date");
        SchemaBuilder number = SchemaBuilder.int64();
        Schema row64 = SchemaBuilder.struct()
                .field("n", Schema.INT32_SCHEMA)
                .field("d", schema.isEmpty() ? number.build() : count(schema, number))
                .build();
        SinkRecord record = new SinkRecord(
                table.replace("\"", ""),
                3,
                null,
                null,
                row64,
                new Struct(row64).put("n", 1).put("d", count),
                1);

        if (message.isEmpty()) {
            deliver(settings("unknown.fields=refuse"), record);
        } else {
            assertThatThrownBy(() -> deliver(settings("unknown.fields=refuse errors.tolerance=none"), record))
                    .hasStackTraceContaining(message);
        }

        assertThat(String.join("", rows(table))).isEqualTo(row);
    }

    /** The first answer was lost, and columns were added before the record came again. */
    @Test
    void aRowIsKnownWhoseCountsGotColumnsAfterIt() {
        String table = newTable("__connect_topic text, __connect_partition int, __connect_offset bigint, doc jsonb,"
                + " UNIQUE (__connect_topic, __connect_partition, __connect_offset)");
        String metadata = "metadata.columns=topic,partition,offset";
        Struct row = countsRow().put("MicroTimestamp", 1_764_460_800_123_456L);
        SinkRecord record = new SinkRecord(table.replace("\"", ""), 3, null, null, COUNTS, row, 1);
        deliver(STORE.connected(Props.of("columns.from.fields=known " + metadata)), record);
        STORE.execute("ALTER TABLE " + table + " ADD zoned timestamptz");

        deliver(settings(metadata), record);

        assertThat(types(table)).contains("MicroDuration interval");
        assertThat(STORE.column("SELECT doc->>'Date' FROM " + table)).containsExactly("20422");
    }

    /** As Debezium's transform that takes the row out of the event leaves it. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "unnest", "values"})
    void jsonThatASchemaHasInAStringIsStoredAsJson(String method) {
        String table = newTable("doc jsonb");
        Schema json =
                SchemaBuilder.string().optional().name("io.debezium.data.Json").build();
        Schema schema = SchemaBuilder.struct()
                .field("details", json)
                .field("none", json)
                .field("broken", json)
                .build();
        Struct row = new Struct(schema).put("details", "{\"a\": \"é\\\"\"}").put("broken", "{a");

        deliver(
                settings("insert.method=" + method),
                new SinkRecord(table.replace("\"", ""), 3, null, null, schema, row, 1));

        assertThat(types(table)).isEqualTo("doc jsonb, details jsonb, none jsonb, broken jsonb");
        assertThat(STORE.column("SELECT concat_ws('|', details->>'a', none, broken) FROM " + table))
                .containsExactly("é\"|\"{a\"");
    }

    /** No envelope reads the strings in arrays. */
    @ParameterizedTest
    @CsvSource({"auto, none", "values, none", "unnest, struct", "auto, json"})
    void soIsThatInTheStringsOfAnArray(String method, String envelope) {
        String table = newTable("many jsonb[], deep json[], doc jsonb");
        Schema json =
                SchemaBuilder.string().optional().name("io.debezium.data.Json").build();
        Schema array = SchemaBuilder.array(json).build();
        Schema schema = SchemaBuilder.struct()
                .field("many", array)
                .field("deep", SchemaBuilder.array(array).build())
                .build();
        List<String> texts = Arrays.asList("{\"a\": \"\\u00e9\\\"\"}", null, "[1]", "broken\"");
        Struct row = new Struct(schema).put("many", texts).put("deep", List.of(List.of("1"), List.of("\"x\"")));

        deliver(
                STORE.connected(Props.of("columns.from.fields=known insert.method=" + method
                        + (envelope.equals("none") ? "" : " value.envelope=debezium"))),
                envelope.equals("none")
                        ? new SinkRecord(table.replace("\"", ""), 3, null, null, schema, row, 1)
                        : event(table, row, envelope.equals("json")));

        assertThat(rows(table))
                .containsExactly("{\"many\":[{\"a\": \"é\\\"\"},null,[1],\"broken\\\"\"],"
                        + "\"deep\":[[1],[\"x\"]],\"doc\":null}");
    }

    /** The text of the JSON has escapes, which only the column's type takes for characters. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"strip | ab", "replace | a\ufffdb"})
    void charactersThatCannotBeStoredAreTreatedInTheJsonOfAStringToo(String setting, String stored) {
        String table = newTable("doc jsonb");
        Schema schema = SchemaBuilder.struct()
                .field(
                        "details",
                        SchemaBuilder.string().name("io.debezium.data.Json").build())
                .build();
        Struct row = new Struct(schema).put("details", "{\"x\": \"a\\u0000b\"}");

        deliver(
                settings("behavior.on.unstorable.characters=" + setting),
                new SinkRecord(table.replace("\"", ""), 3, null, null, schema, row, 1));

        assertThat(STORE.column("SELECT details->>'x' FROM " + table)).containsExactly(stored);
    }

    /** The sink has read the column once, so what is a string then was one in the source. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void jsonOfAnEventIsReadOnce(boolean isJson) {
        String table = newTable("doc jsonb");
        Schema schema = SchemaBuilder.struct()
                .field(
                        "details",
                        SchemaBuilder.string().name("io.debezium.data.Json").build())
                .build();
        Struct row = new Struct(schema).put("details", "\"123\"");

        deliver(settings("value.envelope=debezium"), event(table, row, isJson));

        assertThat(STORE.column("SELECT jsonb_typeof(details) || ' ' || (details #>> '{}') FROM " + table))
                .containsExactly("string 123");
    }

    @Test
    void aNullFieldGetsAColumnOfItsSchemasType() {
        String table = newTable("doc jsonb");
        Struct row = row().put("number", null);

        deliver(settings("unknown.fields=refuse"), new SinkRecord(table.replace("\"", ""), 3, null, null, ROW, row, 1));

        assertThat(types(table)).isEqualTo("doc jsonb, " + TYPES);
    }

    /** PostgreSQL moves no value of 24 bytes or less out of a row, and no row goes over two pages. */
    @Test
    void noMoreColumnsAreAddedThanARowCanHave() {
        String table = newTable("doc jsonb");
        String numbers =
                IntStream.range(0, 300).mapToObj(i -> "\"n" + i + "\":" + i).collect(joining(","));
        String texts = IntStream.range(0, 600)
                .mapToObj(i -> "\"t" + i + "\":\"" + "x".repeat(i % 2 == 0 ? 15 : 25) + "\"")
                .collect(joining(","));

        assertThat(DeliveredDocuments.refusals(
                        settings(),
                        List.of(
                                Documents.append(1, table, "{" + texts + "}"),
                                Documents.append(2, table, "{" + numbers + "," + texts + "}"))))
                .isEmpty();

        assertThat(STORE.column("SELECT count(*) > 300 FROM pg_attribute WHERE attrelid = '" + table
                        + "'::regclass AND attnum > 0"))
                .containsExactly("t");
        assertThat(STORE.column("SELECT count(*) FROM " + table + " AS t, jsonb_each(to_jsonb(t) - 'doc' || doc) AS f"
                        + " WHERE f.value <> 'null' GROUP BY to_jsonb(t) - 'doc' || doc ORDER BY 1"))
                .containsExactly("600", "900");
    }

    @Test
    void aGuardWhoseColumnNoFieldHasHadYetComparesNothing() {
        String table = newTable("id int PRIMARY KEY, doc jsonb");
        Map<String, String> settings = settings(
                "insert.mode=upsert pk.mode=record_key pk.fields=id stale.write.guard=version max.in.flight.requests=1");

        Progress assignment = Documents.newAssignment();
        for (int round = 1; round <= 2; round++) {
            assertThat(DeliveredDocuments.refusals(
                            settings, List.of(Documents.write(assignment, round, table, "1", "{\"v\":" + round + "}"))))
                    .isEmpty();
        }
        assertThat(STORE.column("SELECT v FROM " + table)).containsExactly("2");

        assertThat(DeliveredDocuments.refusals(
                        settings,
                        List.of(
                                Documents.write(assignment, 3, table, "1", "{\"v\":3,\"version\":7}"),
                                Documents.write(assignment, 4, table, "1", "{\"v\":4,\"version\":6}"))))
                .isEmpty();
        assertThat(STORE.column("SELECT v FROM " + table)).containsExactly("3");
    }

    /** A wrong name, or a column that nobody can add: older records would replace newer rows. */
    @Test
    void aGuardWhoseColumnCannotBeAddedIsAnError() {
        String table = newTable("id int PRIMARY KEY, doc jsonb");
        String view = table.replace("\"", "") + "_view";
        STORE.execute("CREATE VIEW " + view + " AS SELECT * FROM " + table);
        Progress assignment = Documents.newAssignment();
        for (String mode : List.of("known", "add")) {
            Map<String, String> settings = STORE.connected(Props.of(
                    "insert.mode=upsert pk.mode=record_key pk.fields=id stale.write.guard=version columns.from.fields="
                            + mode));
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 2; i++) {
                            DeliveredDocuments.refusals(
                                    settings,
                                    List.of(Documents.write(assignment, i, '"' + view + '"', "1", "{\"version\":1}")));
                        }
                    })
                    .as(mode)
                    .hasMessageContaining("version");
        }
    }

    /** The table took no column of another field before. */
    @Test
    void soIsOneThatIsNeededLater() throws Exception {
        String table = newTable("id int PRIMARY KEY, doc jsonb");
        String view = '"' + table.replace("\"", "") + "_view\"";
        STORE.execute("CREATE VIEW " + view + " AS SELECT * FROM " + table);
        Progress assignment = Documents.newAssignment();
        try (Target target = new PostgresTargetType()
                        .open(settings(
                                "insert.mode=upsert pk.mode=record_key pk.fields=id stale.write.guard=version"));
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(List.of(Documents.write(assignment, 1, view, "1", "{\"x\":1}"))))
                    .isEmpty();

            assertThatThrownBy(
                            () -> writer.write(List.of(Documents.write(assignment, 2, view, "1", "{\"version\":1}"))))
                    .hasMessageContaining("stale.write.guard version");
        }
    }

    @Test
    void aDuplicateIsOneAlsoIfTheRowsFieldWouldNotFitTheNewColumn() {
        String table = newTable("id int PRIMARY KEY, doc jsonb");
        Map<String, String> settings =
                STORE.connected(Props.of("columns.from.fields=known pk.mode=record_key pk.fields=id"));
        Progress assignment = Documents.newAssignment();
        assertThat(DeliveredDocuments.refusals(
                        settings, List.of(Documents.write(assignment, 1, table, "1", "{\"f\":\"n/a\"}"))))
                .isEmpty();
        STORE.execute("ALTER TABLE " + table + " ADD f int");

        assertThat(DeliveredDocuments.refusals(
                                settings, List.of(Documents.write(assignment, 2, table, "1", "{\"f\":5}")))
                        .get(2L))
                .hasMessageContaining("23505");
    }

    @Test
    void aTriggerInsteadOfInsertsGetsAllColumns() {
        String table = newTable("id int, level int, doc jsonb");
        String view = table.replace("\"", "") + "_view";
        STORE.execute("CREATE VIEW " + view + " AS SELECT id, max(level) AS level, min(doc::text)::jsonb AS doc FROM "
                + table + " GROUP BY id");
        STORE.execute("CREATE FUNCTION " + view + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO " + table
                + " VALUES (NEW.id, NEW.level, NEW.doc); RETURN NEW; END $$");
        STORE.execute(
                "CREATE TRIGGER t INSTEAD OF INSERT ON " + view + " FOR EACH ROW EXECUTE FUNCTION " + view + "()");

        assertThat(DeliveredDocuments.refusals(
                        STORE.connected(Props.of("columns.from.fields=known unknown.fields=refuse")),
                        List.of(Documents.append(1, '"' + view + '"', "{\"id\":1,\"level\":4}"))))
                .isEmpty();

        assertThat(STORE.column("SELECT concat_ws(' ', id, level) FROM " + table))
                .containsExactly("1 4");
    }

    /** The first answer was lost, and a column was added before the record came again. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "timestamptz | \"2026-11-23T10:00:00Z\"",
                "timestamptz | \"2026-11-23T10:00:00.123456Z\"",
                "timestamptz | \"2026-11-30T10:00:00Z\"",
                "timestamp | \"2026-12-31T10:00:00Z\"",
                "timestamp | \"2026-01-29T10:00:00.5\"",
                "numeric(6,3) | 1.23456",
                "real | 0.123456789012",
                "numeric | \"1.25\"",
                "text | 17",
                "uuid | \"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11\"",
                "interval | \"PT1H\"",
                "jsonb | \"text\"",
                "int | 12"
            })
    void aRowIsKnownWhoseFieldGotAColumnAfterIt(String type, String value) {
        String table = newTable("__connect_topic text, __connect_partition int, __connect_offset bigint, doc jsonb,"
                + " UNIQUE (__connect_topic, __connect_partition, __connect_offset)");
        Map<String, String> settings =
                STORE.connected(Props.of("columns.from.fields=known metadata.columns=topic,partition,offset"));
        Progress assignment = Documents.newAssignment();
        List<Document> documents = List.of(Documents.append(assignment, 1, table, "{\"f\":" + value + ",\"g\":1}"));
        assertThat(DeliveredDocuments.refusals(settings, documents)).isEmpty();
        STORE.execute("ALTER TABLE " + table + " ADD f " + type);

        assertThat(DeliveredDocuments.refusals(settings, documents)).isEmpty();

        assertThat(STORE.column("SELECT doc->>'g' FROM " + table)).containsExactly("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"known", "add"})
    void aColumnThatAViewComputesTakesNoField(String mode) {
        String table = newTable("id int, level int, doc jsonb");
        String view = table.replace("\"", "") + "_view";
        STORE.execute("CREATE VIEW " + view + " AS SELECT id, level, doc, level * 2 AS twice FROM " + table);

        assertThat(DeliveredDocuments.refusals(
                        STORE.connected(Props.of("columns.from.fields=" + mode)),
                        List.of(Documents.append(1, '"' + view + '"', "{\"id\":1,\"level\":4,\"x\":true}"))))
                .isEmpty();

        assertThat(STORE.column("SELECT concat_ws(' ', id, level, twice, doc) FROM " + view))
                .containsExactly("1 4 8 {\"x\": true}");
    }

    @Test
    void bytesInAKeyDoSoToo() {
        String table = newTable("raw bytea PRIMARY KEY, doc jsonb");
        String settings = "columns.from.fields=known insert.mode=upsert pk.mode=record_value pk.fields=raw";

        deliver(STORE.connected(Props.of(settings + " value.envelope=debezium")), event(table, true));
        deliver(
                STORE.connected(Props.of(settings)),
                new SinkRecord(table.replace("\"", ""), 3, null, null, ROW, row(), 1));

        assertThat(STORE.column("SELECT raw::text FROM " + table)).containsExactly("\\x0102ff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "debezium"})
    void aTombstoneDeletesTheRowOfAKeyOfBytes(String envelope) {
        String table = newTable("raw bytea PRIMARY KEY, doc jsonb");
        String topic = table.replace("\"", "");
        Map<String, String> settings = STORE.connected(Props.of("insert.mode=upsert pk.mode=record_key pk.fields=raw"
                + " delete.enabled=true value.envelope=" + envelope));
        Schema ofKey = SchemaBuilder.struct().field("raw", Schema.BYTES_SCHEMA).build();
        Struct key = new Struct(ofKey).put("raw", new byte[] {1, 2, (byte) 0xff});
        String value = envelope.equals("none") ? "{}" : "{\"op\":\"c\",\"after\":{\"n\":1},\"source\":{}}";

        deliver(settings, new SinkRecord(topic, 3, ofKey, key, null, value, 1));
        assertThat(STORE.column("SELECT raw::text FROM " + table)).containsExactly("\\x0102ff");

        deliver(settings, new SinkRecord(topic, 3, ofKey, key, null, null, 2));
        assertThat(STORE.column("SELECT raw::text FROM " + table)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once"})
    void manyWritersThatFindTheSameFieldsFillTheSameColumns(String guarantee) throws Exception {
        String table = newTable("n int, doc jsonb");
        ExecutorService writers = Executors.newFixedThreadPool(6);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int writer = 0; writer < 6; writer++) {
                int own = writer;
                Map<String, String> settings = settings(
                        "delivery.guarantee=" + guarantee, "auto.create=true", "name=" + table + own, "batch.size=20");
                done.add(writers.submit(() -> {
                    for (int batch = 0; batch < 20; batch++) {
                        int first = batch;
                        assertThat(DeliveredDocuments.refusals(
                                        settings,
                                        IntStream.range(0, 5)
                                                .mapToObj(i -> Documents.append(
                                                        first * 5 + i,
                                                        table,
                                                        "{\"n\": " + (own * 100 + first * 5 + i) + ", \"all" + first
                                                                + "\": 1, \"own" + own + "_" + (first / 4)
                                                                + "\": \"x\"}"))
                                                .toList()))
                                .isEmpty();
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
        } finally {
            writers.shutdown();
        }

        assertThat(STORE.column("SELECT count(*) || ' ' || count(DISTINCT n) || ' ' || count(doc) FROM " + table))
                .containsExactly("600 600 0");
        assertThat(STORE.column("SELECT count(all7) || ' ' || count(own3_4) FROM " + table))
                .containsExactly("30 20");
        assertThat(types(table).split(", ")).hasSize(2 + 20 + 6 * 5);
    }

    @Test
    void rowsWaitForTheLockOfTheirTable() throws Exception {
        String table = newTable("n int, doc jsonb");
        try (Connection reader = SERVER.connect()) {
            reader.setAutoCommit(false);
            reader.createStatement().execute("SELECT FROM " + table);

            assertThat(DeliveredDocuments.refusals(
                            settings(),
                            List.of(Documents.append(1, table, "{\"n\": 1, \"x\": 2}")),
                            () -> STORE.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                    + " WHERE state = 'idle in transaction'")))
                    .isEmpty();
        }
        assertThat(rows(table)).containsExactly("{\"n\":1,\"doc\":null,\"x\":2}");
    }

    @Test
    void aRoleThatDoesNotOwnTheTableIsToldTheStatement() throws Exception {
        String table = newTable("n int, doc jsonb");
        STORE.execute("CREATE ROLE guest LOGIN PASSWORD 'guest'; GRANT SELECT, INSERT ON " + table + " TO guest");
        Map<String, String> settings = settings();
        settings.put("connection.user", "guest");
        settings.put("connection.password", "guest");
        try (Target target = new PostgresTargetType().open(settings);
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(List.of(Documents.append(1, table, "{\"n\": 1}"))))
                    .isEmpty();

            assertThatThrownBy(() -> writer.write(List.of(Documents.append(2, table, "{\"n\": 2, \"x\": 2}"))))
                    .isInstanceOf(WriteException.class)
                    .hasMessageContaining("must be owner of table")
                    .hasMessageContaining("ALTER TABLE " + table + " ADD COLUMN IF NOT EXISTS \"x\" numeric");
        }
    }

    @Test
    void aTableThatTakesNoMoreColumnsKeepsTheRest() {
        String table = newTable(
                IntStream.range(0, 999).mapToObj(i -> "c" + i + " int").collect(joining(", ")) + ", doc jsonb");
        STORE.execute("CREATE TABLE base (n int, doc jsonb); CREATE VIEW seen AS SELECT * FROM base");

        assertThat(DeliveredDocuments.refusals(
                        settings(),
                        List.of(
                                Documents.append(1, table, "{\"x\": 1}"),
                                Documents.append(2, table, "{\"x\": 2, \"c0\": 3}"),
                                Documents.append(3, "\"seen\"", "{\"n\": 1, \"x\": 4}"))))
                .isEmpty();

        assertThat(STORE.column("SELECT concat_ws(' ', c0, doc) FROM " + table + " ORDER BY doc->>'x'"))
                .containsExactly("{\"x\": 1}", "3 {\"x\": 2}");
        assertThat(STORE.column("SELECT concat_ws(' ', n, doc) FROM seen")).containsExactly("1 {\"x\": 4}");
    }

    @Test
    void aTableThatIsAlteredMayTakeColumnsAgain() throws Exception {
        String table = newTable(
                IntStream.range(0, 999).mapToObj(i -> "c" + i + " int").collect(joining(", ")) + ", doc jsonb");
        try (Target target = new PostgresTargetType().open(settings());
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(List.of(Documents.append(1, table, "{\"x\": 1}"))))
                    .isEmpty();
            STORE.execute("ALTER TABLE " + table + " DROP c0, DROP c1, DROP c2, DROP c3, DROP c4");
            Document second = Documents.append(2, table, "{\"x\": 2}");

            assertThatThrownBy(() -> writer.write(List.of(second))).hasMessageContaining("has been altered");
            assertThat(writer.write(List.of(second))).isEmpty();
        }

        assertThat(STORE.column("SELECT concat_ws(' ', x, doc) FROM " + table + " ORDER BY x"))
                .containsExactly("2", "{\"x\": 1}");
    }

    @Test
    void aColumnThatIsDroppedComesBackWithTheNextValue() throws Exception {
        String table = newTable("n int, doc jsonb");
        assertThat(DeliveredDocuments.refusals(
                        settings(),
                        List.of(
                                Documents.append(1, table, "{\"n\": 1, \"x\": 2}"),
                                Documents.append(2, table, "{\"n\": 2}"))))
                .isEmpty();
        STORE.execute("ALTER TABLE " + table + " DROP x");
        assertThat(DeliveredDocuments.refusals(
                        settings("unknown.fields=refuse"),
                        List.of(Documents.append(3, table, "{\"n\": 3, \"x\": \"y\"}"))))
                .isEmpty();

        assertThat(rows(table))
                .containsExactly(
                        "{\"n\":1,\"doc\":null,\"x\":null}",
                        "{\"n\":2,\"doc\":null,\"x\":null}",
                        "{\"n\":3,\"doc\":null,\"x\":\"y\"}");
    }
}
