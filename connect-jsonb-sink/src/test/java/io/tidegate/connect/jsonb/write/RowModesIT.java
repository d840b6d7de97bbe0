package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.jsonb.settings.InsertMethod;
import io.tidegate.connect.testkit.Servers;
import io.tidegate.connect.testkit.postgres.Postgres;
import io.tidegate.connect.testkit.scenarios.Skip;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What records do in each mode, from the record to the row, on a real PostgreSQL. */
@Tag("smoke")
@Tag("postgres-releases")
final class RowModesIT {
    private static final Servers SERVERS = Servers.chosen();
    private static final Postgres SERVER = SERVERS.postgres();
    private static final PostgresStore STORE = new PostgresStore(SERVER);
    private static int topics;

    private final String topic = "t" + topics++;
    private final Progress assignment = new Progress(new TopicPartition(topic, 3), 1);
    private long nextOffset;

    @BeforeAll
    static void start() {
        SERVERS.obstacle().ifPresent(obstacle -> Skip.loudly(RowModesIT.class, obstacle));
        SERVER.start();
    }

    @AfterAll
    static void close() {
        SERVER.close();
        SERVERS.close();
    }

    private void create(String columns) {
        STORE.execute("CREATE TABLE \"" + topic + "\" (" + columns + ")");
    }

    private List<String> rows(String columns) {
        return STORE.column("SELECT " + columns + " FROM \"" + topic + "\" ORDER BY 1");
    }

    private SinkRecord record(Object key, Object value) {
        return new SinkRecord(
                topic, 3, null, key, null, value, nextOffset++, 1_420_070_400_123L, TimestampType.CREATE_TIME);
    }

    /** The way of one batch through the target: mapping, what supersedes what, writing. */
    private void write(String settings, SinkRecord... records) {
        Map<String, String> props = Props.of(settings);
        props.put("name", topic);
        props.put("connection.url", SERVER.jdbcUrl());
        props.put("connection.user", SERVER.user());
        props.put("connection.password", SERVER.password());
        assertThat(new PostgresTargetType().validate(props)).isEmpty();
        try (Target target = new PostgresTargetType().open(props);
                BatchWriter writer = target.openWriter(0)) {
            List<Document> documents = new ArrayList<>();
            for (SinkRecord record : records) {
                Optional<Document> document = target.mapper().map(record, assignment);
                document.ifPresent(documents::add);
            }
            assertThat(target.lastWriteWins() && records.length > 1)
                    .as("a lane would leave superseded records out")
                    .isFalse();
            Documents.claim(writer, documents);
            assertThat(writer.write(documents)).isEmpty();
        } catch (WriteException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void metadataBecomesColumns(InsertMethod method) {
        create("doc jsonb, k text, t text, p int, o bigint, at timestamptz, ms bigint, h jsonb");
        SinkRecord bare = new SinkRecord(topic, 3, null, null, null, "{\"n\": 0}", nextOffset++);
        SinkRecord full = record(42, "{\"n\": 1}");
        full.headers().addString("trace", "a\"b").addInt("hops", 3).add("raw", new byte[] {(byte) 0xff}, null);
        full.headers().addString("trace", "last");
        String columns = "insert.method=%s metadata.columns=key:k,topic:t,partition:p,offset:o,timestamp:at,headers:h";

        write(columns.formatted(method == InsertMethod.COPY ? "copy" : EnumSetting.text(method)), bare, full);

        assertThat(rows("concat_ws('|', o, k, t, p, (extract(epoch FROM at) * 1000)::bigint, h)"))
                .containsExactly(
                        "0|" + topic + "|3",
                        "1|42|" + topic + "|3|1420070400123|{\"raw\": \"/w==\", \"hops\": 3, \"trace\": \"last\"}");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void timestampsGoIntoNumbersToo(InsertMethod method) {
        create("doc jsonb, ms bigint");

        write("insert.method=" + EnumSetting.text(method) + " metadata.columns=timestamp:ms", record(null, "{}"));

        assertThat(rows("ms")).containsExactly("1420070400123");
    }

    @ParameterizedTest
    @EnumSource(
            value = InsertMethod.class,
            names = {"VALUES", "UNNEST", "AUTO"})
    void theServerTakesColumnsOutOfTheDocument(InsertMethod method) {
        create("doc jsonb, station text, v numeric(6,3), at timestamptz, first int, rest jsonb");

        write(
                "insert.method=" + EnumSetting.text(method)
                        + " extract.columns=station:$.metadata.id::text,v:$.v,at:$.at::timestamptz,first:$.l[0],rest:$.l",
                record(
                        null,
                        "{\"metadata\": {\"id\": 9447130}, \"v\": \"1.25\", \"at\": \"2015-01-01T00:06Z\", \"l\": [7,"
                                + " 8]}"),
                record(null, "{\"v\": null}"));

        assertThat(rows("concat_ws('|', station, v, at AT TIME ZONE 'UTC', first, rest)"))
                .containsExactly("", "9447130|1.250|2015-01-01 00:06:00|7|[7, 8]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"values", "unnest"})
    void aTypeOfAnExtractedColumnCutsNothing(String method) {
        create("doc jsonb, a text, b text, c text");

        write(
                "insert.method=" + method + " extract.columns=a:$.text::varchar(3),b:$.text::char,c:$.bits::bit(2)",
                record(null, "{\"text\": \"abcdef\", \"bits\": \"10101\"}"));

        assertThat(rows("a || b || c")).containsExactly("abcdefabcdef10101");
    }

    @ParameterizedTest
    @CsvSource({"json, values", "json, unnest", "text, values", "text, unnest"})
    void aColumnThatKeepsTheTextDoesSoBesideExtractedOnes(String type, String method) {
        create("t text, p int, o bigint, doc " + type + ", x text, y text, UNIQUE (t, p, o)");
        String settings =
                "metadata.columns=topic:t,partition:p,offset:o extract.columns=x:$.x,y:$.y insert.method=" + method;
        String json = "{\"x\":\"s\", \"b\":1e2,  \"a\":1.50, \"a\":2}";
        SinkRecord record = record(null, json);

        write(settings, record);
        write(settings, record);

        assertThat(rows("doc::text || x")).containsExactly(json + "s");
    }

    /** It is stored in another form than that of its type. */
    @ParameterizedTest
    @CsvSource({
        "double precision, numeric, 1.50",
        "integer, numeric, 1.5",
        "timestamptz, date, 2026-01-31",
        "date, timestamptz, 2026-01-31T10:00:00Z",
        "'varchar(5)', numeric, 1.50"
    })
    void anExtractedColumnOfAnotherTypeIsKnownWhenItsRowComesAgain(String column, String type, String value) {
        create("t text, p int, o bigint, doc jsonb, v " + column + ", UNIQUE (t, p, o)");
        String settings = "metadata.columns=topic:t,partition:p,offset:o extract.columns=v:$.v::" + type;
        SinkRecord record = record(null, "{\"v\": \"" + value + "\"}");

        write(settings, record);
        write(settings, record);

        assertThat(rows("count(*)::text")).containsExactly("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"values", "unnest"})
    void everyRecordOfAKeyIsMergedInItsOrder(String method) {
        create("doc jsonb, id text PRIMARY KEY, a int");
        String settings =
                "insert.method=" + method + " insert.mode=merge pk.mode=record_key pk.fields=id extract.columns=a:$.a";

        write(settings, record("x", "{\"a\": 1}"), record("y", "{\"a\": 5}"), record("x", "{\"b\": 2}"));
        write(settings, record("x", "{\"a\": 3, \"c\": 4}"), record("x", "{\"b\": null}"));

        assertThat(rows("id || a || doc::text")).containsExactly("x3{\"a\": 3, \"b\": null, \"c\": 4}", "y5{\"a\": 5}");
    }

    /** The row has one key for both, so the order of the records counts, not that of their keys. */
    @ParameterizedTest
    @CsvSource({
        "timestamptz(0), 2015-01-01T00:00:00.400Z, 2015-01-01T00:00:00.100Z",
        "timestamp(3), 2015-01-01T00:00:00.000400Z, 2015-01-01T00:00:00.000100Z",
        "'numeric(5,-1)', 12, 11",
        "varchar(3), 'abc ', abc"
    })
    void aRowIsDeletedAfterItIsWrittenIfItsColumnRoundsTwoKeysToOne(String type, String first, String second) {
        int release = Integer.parseInt(STORE.column("SHOW server_version_num").get(0)) / 10_000;
        if (type.contains("-") && release < 15) {
            Skip.loudly(RowModesIT.class, "PostgreSQL " + release + " has no negative scale");
        }
        create("id " + type + " PRIMARY KEY, doc jsonb");

        write(
                "insert.mode=merge pk.mode=record_key pk.fields=id delete.enabled=true",
                record(first, "{}"),
                record(second, null));

        assertThat(rows("id")).isEmpty();
    }

    /** The column takes any number of blanks and stores those that fit. A longer key has no row. */
    @Test
    void aKeyThatIsStoredWithFewerBlanksIsTheSame() {
        create("id varchar(3) PRIMARY KEY, doc jsonb");
        String settings = " pk.mode=record_key pk.fields=id";

        write("insert.mode=insert" + settings, record("abc  ", "{}"), record("ab  ", "{}"));
        nextOffset = 0;
        write("insert.mode=insert" + settings, record("abc  ", "{}"), record("ab  ", "{}"));
        write("insert.mode=upsert delete.enabled=true" + settings, record("abcd", null));
        assertThat(rows("id")).containsExactly("ab ", "abc");
        write("insert.mode=upsert delete.enabled=true" + settings, record("abc   ", null));

        assertThat(rows("id")).containsExactly("ab ");
    }

    /** The server checks a row for NULL before it merges it. */
    @ParameterizedTest
    @ValueSource(strings = {"", " DEFAULT 0"})
    void aMergedDocumentMayLackWhatItsRowMustHave(String more) {
        create("doc jsonb, id text PRIMARY KEY, a int NOT NULL" + more);
        String settings = "insert.mode=merge pk.mode=record_key pk.fields=id extract.columns=a:$.a";

        write(settings, record("x", "{\"a\": 1}"), record("x", "{\"b\": 2}"));
        write(settings, record("x", "{\"c\": 3}"));

        assertThat(rows("id || a || doc::text")).containsExactly("x1{\"a\": 1, \"b\": 2, \"c\": 3}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1]", "null", "\"a\"", "1", "{\"a\": [1]}"})
    void aDocumentThatIsMergedTwiceIsStoredOnce(String value) {
        create("doc jsonb, id text PRIMARY KEY");
        String settings = "insert.mode=merge pk.mode=record_key pk.fields=id";

        write(settings, record("x", value));
        write(settings, record("x", value));
        assertThat(rows("doc")).containsExactly(value);

        write(settings, record("x", "{\"b\": 2}"));
        assertThat(rows("doc->'b'")).containsExactly("2");
    }

    @Test
    void bytesOfAKeyMayComeInABuffer() {
        create("doc jsonb, id text PRIMARY KEY");

        write(
                "insert.mode=upsert pk.mode=record_key pk.fields=id",
                record(ByteBuffer.wrap("k\u00e4".getBytes(StandardCharsets.UTF_8)), "1"));

        assertThat(rows("id")).containsExactly("k\u00e4");
    }

    @Test
    void keysOfSeveralFieldsComeFromStructsMapsAndJson() {
        create("doc jsonb, id bigint, day date, PRIMARY KEY (id, day)");
        String settings = "insert.mode=upsert pk.mode=record_key pk.fields=id,day:$.at.day delete.enabled=true";
        Schema at = SchemaBuilder.struct().field("day", Schema.STRING_SCHEMA).build();
        Schema key = SchemaBuilder.struct()
                .field("id", Schema.INT64_SCHEMA)
                .field("at", at)
                .build();
        Struct struct = new Struct(key).put("id", 1L).put("at", new Struct(at).put("day", "2015-01-01"));
        write(settings, new SinkRecord(topic, 3, key, struct, null, "1", nextOffset++));
        write(settings, record(Map.of("id", 1, "at", Map.of("day", "2015-01-02")), "2"));
        write(settings, record("{\"at\": {\"day\": \"2015-01-03\"}, \"id\": 1}", "3"));
        write(settings, record("{\"id\": 1, \"at\": {\"day\": \"2015-\\u00301-01\"}}", "4"));

        assertThat(rows("id || ' ' || day || ' ' || doc"))
                .containsExactly("1 2015-01-01 4", "1 2015-01-02 2", "1 2015-01-03 3");

        write(settings, record("{\"id\": 1, \"at\": {\"day\": \"2015-01-02\"}}", null));
        assertThat(rows("id || ' ' || day || ' ' || doc")).containsExactly("1 2015-01-01 4", "1 2015-01-03 3");
    }

    @Test
    void aKeyOfTheValueMayBeOneFieldOrMore() {
        create("doc jsonb, station text, at timestamptz, UNIQUE (station, at))PARTITION BY RANGE (at");
        STORE.execute("CREATE TABLE \"" + topic + "_2015\" PARTITION OF \"" + topic
                + "\" FOR VALUES FROM ('2015-01-01') TO ('2016-01-01')");
        String settings = "insert.mode=upsert pk.mode=record_value pk.fields=station:$.metadata.id,at";

        write(settings, record(null, "{\"metadata\": {\"id\": \"9447130\"}, \"at\": \"2015-01-01T00:00Z\", \"v\": 1}"));
        write(settings, record(null, "{\"at\": \"2015-01-01T00:00Z\", \"metadata\": {\"id\": \"9447130\"}, \"v\": 2}"));

        assertThat(rows("station || ' ' || (doc->>'v')")).containsExactly("9447130 2");
        assertThatThrownBy(() -> write(settings, record(null, "{\"at\": 1}")))
                .isInstanceOf(RefusedException.class)
                .hasMessage(
                        "the value has no usable field $.metadata.id for the column station: it is not there or null;"
                                + " see pk.fields");
    }

    @Test
    void anOlderRecordNeitherReplacesNorDeletesANewerRow() {
        create("doc jsonb, id text PRIMARY KEY, t text, p int, o bigint");
        String settings = "insert.mode=upsert pk.mode=record_key pk.fields=id delete.enabled=true"
                + " metadata.columns=topic:t,partition:p,offset:o stale.write.guard=offset";
        SinkRecord old = record("x", "\"old\"");
        SinkRecord deletion = record("x", null);
        SinkRecord recent = record("x", "\"new\"");
        write(settings, recent);

        write(settings, old);
        write(settings, deletion);
        assertThat(rows("doc::text || ' ' || o")).containsExactly("\"new\" 2");

        write(settings, record("x", null));
        assertThat(rows("doc")).isEmpty();
    }

    @Test
    void anOffsetOfAnotherTopicOrPartitionNeverKeepsARecordOut() {
        create("doc jsonb, id text PRIMARY KEY, t text, p int, o bigint");
        String settings = "insert.mode=upsert pk.mode=record_key pk.fields=id"
                + " metadata.columns=topic:t,partition:p,offset:o stale.write.guard=offset";
        STORE.execute("INSERT INTO \"" + topic + "\" VALUES ('1', 'x', 'other', 3, 900), ('1', 'y', '" + topic
                + "', 2, 900), ('1', 'z', '" + topic + "', 3, 900)");

        for (String id : List.of("x", "y", "z")) {
            write(settings, record(id, "2"));
        }

        assertThat(rows("id || doc")).containsExactly("x2", "y2", "z1");
    }

    @Test
    void aTimeWithoutAZoneIsInUtcWhateverTheWorkersZone() {
        create("doc jsonb, at timestamptz PRIMARY KEY, seen timestamptz");
        TimeZone ours = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
            write(
                    "insert.mode=upsert pk.mode=record_key pk.fields=at extract.columns=seen:$.seen",
                    record("2026-11-23T12:00:00", "{\"seen\": \"2026-11-23 12:00\"}"));
        } finally {
            TimeZone.setDefault(ours);
        }
        assertThat(rows("extract(epoch FROM at)::bigint || ' ' || extract(epoch FROM seen)::bigint"))
                .containsExactly("1795435200 1795435200");
    }

    @Test
    void deletesWhereBackslashesAreEscapes() {
        String table = "back\\slash" + topic;
        STORE.execute("CREATE TABLE \"" + table + "\" (doc jsonb, \"i\\d\" numeric(5,1) PRIMARY KEY)");
        String settings =
                "insert.mode=upsert delete.enabled=true pk.mode=record_key pk.fields=i\\d table.name.format=" + table;
        STORE.execute("ALTER ROLE CURRENT_USER SET standard_conforming_strings = off");
        try {
            write(settings, record("1.04", "1"));
            write(settings, record("1.04", null));
        } finally {
            STORE.execute("ALTER ROLE CURRENT_USER RESET standard_conforming_strings");
        }
        assertThat(STORE.column("SELECT count(*) FROM \"" + table + "\"")).containsExactly("0");
    }

    @Test
    void aRowForWhichATriggerHasNoBranchIsAtFaultItself() {
        create("doc jsonb");
        STORE.execute("CREATE FUNCTION \"f_" + topic + "\"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " CASE WHEN (NEW.doc->>'n')::int > 1 THEN RETURN NEW; WHEN (NEW.doc->>'n')::int = 1 THEN NULL;"
                + " END CASE; END $$");
        STORE.execute("CREATE TRIGGER branches BEFORE INSERT ON \"" + topic + "\" FOR EACH ROW EXECUTE FUNCTION \"f_"
                + topic + "\"()");
        Map<String, String> props = Props.of("name=" + topic + " connection.url=" + SERVER.jdbcUrl());
        props.put("connection.user", SERVER.user());
        props.put("connection.password", SERVER.password());

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                props,
                List.of(
                        Documents.append(0, '"' + topic + '"', "{\"n\": 0}"),
                        Documents.append(1, '"' + topic + '"', "{\"n\": 1}"),
                        Documents.append(2, '"' + topic + '"', "{\"n\": 2}")));

        assertThat(refused).containsOnlyKeys(0L, 1L);
        assertThat(refused.get(0L)).hasMessageStartingWith("case not found, SQLSTATE 20000 ");
        assertThat(refused.get(1L).facts()).containsEntry("sqlstate", "2F005").containsEntry("kind", "trigger");
        assertThat(rows("doc->>'n'")).containsExactly("2");
    }

    @Test
    void aFieldOfTheDocumentCanTellWhichRecordIsOlder() {
        create("doc jsonb, id text PRIMARY KEY, version int");
        String settings = "insert.mode=upsert pk.mode=record_key pk.fields=id extract.columns=version:$.version"
                + " stale.write.guard=version";

        write(
                settings,
                record("x", "{\"version\": 7}"),
                record("x", "{\"version\": 6}"),
                record("x", "{\"version\": 8}"));
        write(settings, record("x", "{\"version\": 5}"));

        assertThat(rows("version || doc::text")).containsExactly("8{\"version\": 8}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"upsert", "merge"})
    void anUpdateThatChangesNothingIsLeftOut(String mode) {
        create("doc jsonb, id text PRIMARY KEY, o bigint");
        String settings =
                "pk.mode=record_key pk.fields=id metadata.columns=offset:o skip.unchanged=true insert.mode=" + mode;
        write(settings, record("x", "{\"a\": 1, \"b\": 2}"));
        List<String> before = rows("xmin::text || ' ' || o");

        write(settings, record("x", "{\"b\": 2, \"a\": 1}"));
        assertThat(rows("xmin::text || ' ' || o")).isEqualTo(before);

        write(settings, record("x", "{\"b\": 3, \"a\": 1}"));
        assertThat(rows("o || doc::text")).containsExactly("2{\"a\": 1, \"b\": 3}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"upsert", "merge"})
    void exactlyOnceUpdatesInOrderToo(String mode) {
        create("doc jsonb, id text PRIMARY KEY");
        String settings = "delivery.guarantee=exactly_once auto.create=true offsets.table=offsets_" + topic
                + " pk.mode=record_key pk.fields=id delete.enabled=true insert.mode=" + mode;
        SinkRecord first = record("x", "{\"a\": 1}");
        SinkRecord second = record("x", "{\"a\": 2}");
        write(settings, first, second, record("y", "{}"), record("y", null));
        STORE.execute("UPDATE \"" + topic + "\" SET doc = '{\"a\": \"touched\"}'");

        write(settings, first, second);

        assertThat(rows("doc->>'a'")).containsExactly("touched");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void aMissingTableIsCreatedWhenAskedFor(InsertMethod method) {
        String settings = "auto.create=true metadata.columns=timestamp:at insert.method=" + EnumSetting.text(method);
        write(settings, record("x", "{\"a\": 1}"));
        write(settings, record("x", "{\"a\": 2}"));

        assertThat(STORE.column("SELECT attname || ' ' || format_type(atttypid, atttypmod) FROM pg_attribute WHERE"
                        + " attrelid = '" + topic + "'::regclass AND attnum > 0 ORDER BY attnum"))
                .containsExactly("doc jsonb", "at timestamp with time zone");
        assertThat(rows("doc->>'a'")).containsExactly("1", "2");
    }

    @Test
    void aCreatedTableHasTheKeyThatUpsertsNeed() {
        String settings = "auto.create=true insert.mode=upsert pk.mode=record_key pk.fields=id";
        write(settings, record("x", "1"));
        write(settings, record("x", "2"));

        assertThat(rows("id || doc")).containsExactly("x2");
    }

    @Test
    void theTableFollowsFromTheRecord() {
        STORE.execute("CREATE SCHEMA IF NOT EXISTS \"raw.v1\"");
        ConnectHeaders headers = new ConnectHeaders();
        headers.addString("kind", "level");
        SinkRecord record = new SinkRecord(
                "v1." + topic,
                3,
                null,
                null,
                null,
                "{\"n\": 1}",
                0L,
                1_420_070_400_123L,
                TimestampType.CREATE_TIME,
                headers);

        write(
                "auto.create=true topic.table.regex=(?<version>.+?)\\.(.+)"
                        + " table.name.format=raw.v1.${2}_${header:kind}_${timestamp:yyyy.MM}"
                                .replace("raw.v1.", "\"raw.v1\"."),
                record);

        assertThat(STORE.column("SELECT doc FROM \"raw.v1\".\"" + topic + "_level_2015.01\""))
                .containsExactly("{\"n\": 1}");
    }

    @Test
    void aHeaderWithoutJsonFormIsTheFaultOfItsRecord() {
        create("doc jsonb, h jsonb");
        SinkRecord record = record(null, "{}");
        record.headers().addDouble("ratio", Double.NaN);

        assertThatThrownBy(() -> write("metadata.columns=headers:h", record))
                .hasStackTraceContaining("which JSON cannot express");
    }

    @Test
    void bytesOfAKeyThatAreNoTextBecomeBase64() {
        create("doc jsonb, k text");
        write("metadata.columns=key:k", record(new byte[] {(byte) 0xfe}, "{}"));
        write("metadata.columns=key:k", record("k\u00e4".getBytes(StandardCharsets.UTF_8), "{}"));

        assertThat(rows("k")).containsExactly("/g==", "k\u00e4");
    }
}
