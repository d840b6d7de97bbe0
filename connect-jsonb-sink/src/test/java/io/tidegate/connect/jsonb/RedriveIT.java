package io.tidegate.connect.jsonb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dead letters that a second connector writes again, from a real dead letter topic, on a real server. */
final class RedriveIT {
    private static final SinkCluster CLUSTER =
            new SinkCluster(PostgresServer.builder().fastStart().build());
    private static final String COORDINATES = "topic:t,partition:p,offset:o,headers:h";

    @BeforeAll
    static void start() {
        CLUSTER.start(1);
    }

    @AfterAll
    static void close() {
        CLUSTER.close();
    }

    private static String lettersTo(String topic) {
        return " errors.tolerance=all errors.deadletterqueue.topic.name=" + topic
                + " errors.deadletterqueue.topic.replication.factor=1"
                + " errors.deadletterqueue.context.headers.enable=true";
    }

    private static void awaitRows(long rows) {
        await().atMost(SinkCluster.SOON)
                .untilAsserted(() -> assertThat(CLUSTER.rows("levels")).isEqualTo(rows));
    }

    private static void awaitRead(String connector, String topic, long next) {
        await().atMost(SinkCluster.SOON).untilAsserted(() -> assertThat(
                        CLUSTER.rest().offsets(connector).entrySet())
                .filteredOn(entry -> entry.getKey().topic().equals(topic))
                .singleElement()
                .satisfies(entry -> assertThat(entry.getValue()).isEqualTo(next)));
    }

    @Test
    void refusedRecordsAreWrittenOnceUnderTheirOwnCoordinatesAndNoneCircles() {
        CLUSTER.broker().createTopic("levels", 2);
        CLUSTER.store()
                .execute("CREATE TABLE levels (doc jsonb NOT NULL CONSTRAINT positive CHECK ((doc->>'n')::int >= 0),"
                        + " t text, p int, o bigint, h jsonb)");
        String sink = "delivery.guarantee=exactly_once table.name.format=levels metadata.columns=" + COORDINATES;
        CLUSTER.startSink("levels", 2, Props.of(sink + lettersTo("levels-dlq")));
        try (Records records = CLUSTER.newRecords()) {
            List<ProducerRecord<String, String>> all = new ArrayList<>();
            for (int n = 6; n >= -3; n--) { // so no letter has the offset of its record
                all.add(new ProducerRecord<>("levels", Math.floorMod(n, 2), "k", "{\"n\":" + n + "}"));
            }
            records.sendAll(all.stream());
            awaitRows(7);
            await().atMost(SinkCluster.SOON).untilAsserted(() -> assertThat(records.deadLetters("levels-dlq"))
                    .hasSize(3));

            assertThatThrownBy(() -> CLUSTER.putConfig(
                            "circle", "levels-dlq", 1, Props.of(sink + " redrive=true" + lettersTo("levels-dlq"))))
                    .hasMessageContaining("levels-dlq")
                    .hasMessageContaining("may not be included in the list of topics");

            CLUSTER.store().execute("ALTER TABLE levels DROP CONSTRAINT positive");
            CLUSTER.store().execute("ALTER TABLE levels ADD CONSTRAINT not_two CHECK ((doc->>'n')::int <> -2)");
            CLUSTER.putConfig(
                    "redrive", "levels-dlq", 1, Props.of(sink + " redrive=true" + lettersTo("levels-parking")));
            awaitRows(9);
            awaitRead("redrive", "levels-dlq", 3);
            CLUSTER.rest().restart("redrive", true);
            awaitRead("redrive", "levels-dlq", 3);
            assertThat(records.deadLetters("levels-parking"))
                    .extracting(Records.DeadLetter::value)
                    .containsExactly("{\"n\":-2}");

            CLUSTER.putConfig(
                    "once-only",
                    "levels-parking",
                    1,
                    Props.of(sink + " redrive=true redrive.attempts=1" + lettersTo("levels-unused")));
            awaitRead("once-only", "levels-parking", 1);
            assertThat(CLUSTER.rows("levels")).isEqualTo(9);

            CLUSTER.store().execute("ALTER TABLE levels DROP CONSTRAINT not_two");
            CLUSTER.putConfig("parked", "levels-parking", 1, Props.of(sink + " redrive=true"));
            awaitRows(10);
        }
        assertThat(CLUSTER.store()
                        .column("SELECT t || ' ' || p || ' ' || o || ' ' || coalesce(h::text, 'none') FROM levels"
                                + " WHERE (doc->>'n')::int < 0 ORDER BY (doc->>'n')::int"))
                .containsExactly("levels 1 4 none", "levels 0 4 none", "levels 1 3 none");
        assertThat(CLUSTER.store().column("SELECT count(DISTINCT (t, p, o)) FROM levels"))
                .containsExactly("10");
        assertThat(CLUSTER.store()
                        .column("SELECT next_offset FROM tidegate_offsets WHERE connector = 'redrive'"
                                + " AND topic = 'levels-dlq' AND next_offset > 0"))
                .containsExactly("3");
    }

    /** A letter about a record of the topic {@code readings}, partition 0. */
    private static SinkRecord letter(String key, String json, long offset) {
        SinkRecord letter = new SinkRecord("", 0, null, key, null, json == null ? null : json.getBytes(UTF_8), 0);
        letter.headers()
                .addString("__connect.errors.topic", "readings")
                .addInt("__connect.errors.partition", 0)
                .addLong("__connect.errors.offset", offset);
        return letter;
    }

    /** Returns why letters were refused. */
    private static List<String> redrive(String settings, SinkRecord... letters) {
        Map<String, String> props = Props.of("name=redriven redrive=true errors.tolerance=all pk.mode=record_key"
                + " pk.fields=id delete.enabled=true max.in.flight.requests=1 " + settings);
        props.put("connection.url", CLUSTER.server().jdbcUrl());
        props.put("connection.user", CLUSTER.server().user());
        props.put("connection.password", CLUSTER.server().password());
        try (StartedTask task = new StartedTask(props)) {
            task.put(List.of(letters));
            await().atMost(SinkCluster.SOON).until(task::isWritten);
            return task.refused();
        }
    }

    private static List<String> rows(String table) {
        return CLUSTER.store().column("SELECT id || '=' || (doc->>'v') FROM " + table + " ORDER BY id");
    }

    @Test
    void withoutAGuardARowThatExistsMayBeNewerAndStays() {
        CLUSTER.store().execute("CREATE TABLE unguarded (id text PRIMARY KEY, doc jsonb)");
        CLUSTER.store().execute("INSERT INTO unguarded VALUES ('a', '{\"v\":\"new\"}'), ('c', '{\"v\":\"new\"}')");

        for (String mode : List.of("upsert", "merge")) {
            redrive(
                    "table.name.format=unguarded insert.mode=" + mode,
                    letter("a", "{\"v\":\"old\"}", 4),
                    letter("b", "{\"v\":\"only\"}", 5),
                    letter("c", null, 6));

            assertThat(rows("unguarded")).as(mode).containsExactly("a=new", "b=only", "c=new");
        }
    }

    @Test
    void aGuardComparesTheOriginalOffsets() {
        CLUSTER.store().execute("CREATE TABLE guarded (id text PRIMARY KEY, doc jsonb, t text, p int, o bigint)");
        CLUSTER.store()
                .execute(
                        "INSERT INTO guarded VALUES ('a', '{\"v\":\"new\"}', 'readings', 0, 50), ('b', '{\"v\":\"old\"}', 'readings', 0, 10),"
                                + " ('c', '{\"v\":\"new\"}', 'readings', 0, 50), ('d', '{\"v\":\"old\"}', 'readings', 0, 10)");

        redrive(
                "table.name.format=guarded insert.mode=upsert metadata.columns=topic:t,partition:p,offset:o"
                        + " stale.write.guard=offset",
                letter("a", "{\"v\":\"older\"}", 40),
                letter("b", "{\"v\":\"newer\"}", 30), // parked later, so it comes first
                letter("b", "{\"v\":\"between\"}", 20),
                letter("c", null, 40),
                letter("d", null, 20));

        assertThat(rows("guarded")).containsExactly("a=new", "b=newer", "c=new");
    }

    /** As after partitions were added: nothing says which of two records is newer. */
    @ParameterizedTest
    @ValueSource(strings = {"upsert", "merge"})
    void aGuardByOffsetKeepsTheRowOfAnotherPartitionOrTopic(String mode) {
        CLUSTER.store().execute("DROP TABLE IF EXISTS moved");
        CLUSTER.store().execute("CREATE TABLE moved (id text PRIMARY KEY, doc jsonb, t text, p int, o bigint)");
        CLUSTER.store()
                .execute("INSERT INTO moved VALUES ('a', '{\"v\":\"new\"}', 'readings', 3, 0),"
                        + " ('b', '{\"v\":\"new\"}', 'others', 0, 0), ('c', '{\"v\":\"new\"}', 'readings', 3, 0),"
                        + " ('d', '{\"v\":\"new\"}', NULL, NULL, NULL)");

        redrive(
                "table.name.format=moved metadata.columns=topic:t,partition:p,offset:o stale.write.guard=offset"
                        + " insert.mode=" + mode,
                letter("a", "{\"v\":\"old\"}", 50),
                letter("b", "{\"v\":\"old\"}", 51),
                letter("c", null, 52),
                letter("d", "{\"v\":\"old\"}", 53));

        assertThat(rows("moved")).containsExactly("a=new", "b=new", "c=new", "d=new");
    }

    /** Two records may have one version, such as a time in seconds. Nothing shows which of them is the later one. */
    @ParameterizedTest
    @ValueSource(strings = {"upsert", "merge", "upsert skip.unchanged=true", "upsert error.overrides=22P02:ignore"})
    void aRecordWithTheGuardingValueOfAnotherContentIsRefused(String mode) {
        CLUSTER.store().execute("DROP TABLE IF EXISTS versioned");
        CLUSTER.store().execute("CREATE TABLE versioned (id text PRIMARY KEY, doc jsonb, n int, at point)");
        CLUSTER.store()
                .execute("INSERT INTO versioned VALUES ('a', '{\"v\":\"new\", \"n\":7}', 7, '(1,2)'),"
                        + " ('b', '{\"v\":\"old\", \"n\":7}', 7, NULL), ('c', '{\"v\":\"same\", \"n\":7}', 7, NULL)");

        List<String> refused = redrive(
                "table.name.format=versioned extract.columns=n:$.n::int,at:$.at::point stale.write.guard=n insert.mode="
                        + mode,
                letter("a", "{\"v\":\"old\",\"n\":7}", 40),
                letter("b", "{\"v\":\"newer\",\"n\":8}", 41),
                letter("c", "{\"n\":7,\"v\":\"same\"}", 42),
                letter("d", "{\"v\":\"first\",\"n\":7}", 43),
                letter("d", "{\"v\":\"second\",\"n\":7}", 44),
                letter("d", "{\"v\":\"first\",\"n\":7}", 43),
                letter("e", "{\"v\":\"older\",\"n\":6}", 45),
                letter("f", "{\"v\":\"first\"}", 46), // without the guarding value
                letter("f", "{\"v\":\"second\"}", 47));

        assertThat(rows("versioned")).containsExactly("a=new", "b=newer", "c=same", "d=first", "e=older", "f=first");
        assertThat(refused).hasSize(3).allSatisfy(reason -> assertThat(reason)
                .contains("another content with the guarding value", "\"kind\":\"unguarded\""));
    }

    @Test
    void aDeletionWithThePositionOfARowIsRefused() {
        CLUSTER.store().execute("CREATE TABLE positioned (id text PRIMARY KEY, doc jsonb, lsn bigint)");
        CLUSTER.store()
                .execute("INSERT INTO positioned VALUES ('1', '{\"v\":\"tie\"}', 7), ('2', '{\"v\":\"old\"}', 6),"
                        + " ('3', '{\"v\":\"new\"}', 8), ('4', '{\"v\":\"other\"}', 7)");

        List<String> refused = redrive(
                "table.name.format=positioned insert.mode=upsert value.envelope=debezium stale.write.guard=source_position"
                        + " metadata.columns=source_position:lsn",
                letter("1", deletion(1), 40),
                letter("2", deletion(2), 41),
                letter("3", deletion(3), 42));

        assertThat(rows("positioned")).containsExactly("1=tie", "3=new", "4=other");
        assertThat(refused)
                .singleElement()
                .asString()
                .contains("another content with the guarding value", "\"kind\":\"unguarded\"");
    }

    private static String deletion(int id) {
        return "{\"op\":\"d\",\"before\":{\"id\":" + id + "},\"after\":null,\"source\":{\"connector\":\"postgresql\","
                + "\"lsn\":7,\"ts_ms\":7,\"db\":\"d\",\"schema\":\"s\",\"table\":\"t\"}}";
    }
}
