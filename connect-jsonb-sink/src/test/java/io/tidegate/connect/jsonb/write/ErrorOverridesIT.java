package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code error.overrides} does on a real PostgreSQL, on each path that classifies an error. */
final class ErrorOverridesIT {
    private static final int ROWS = 20;
    private static final long ORPHAN = 7;
    private static final String EXACTLY_ONCE = "exactly_once";

    private static final String OFFSETS_COLUMNS = " (connector text, topic text, partition integer,"
            + " next_offset bigint NOT NULL, generation bigint NOT NULL, record_offset bigint,"
            + " record_timestamp bigint, record_hash bigint, record_rules bigint,"
            + " PRIMARY KEY (connector, topic, partition))";

    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();
    private static final PostgresStore STORE = new PostgresStore(SERVER);
    private static int tables;

    @BeforeAll
    static void start() {
        SERVER.start();
        STORE.execute("CREATE TABLE tidegate_offsets" + OFFSETS_COLUMNS);
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    private static String newTable(String columns) {
        String table = "\"t" + tables++ + "\"";
        STORE.execute("CREATE TABLE " + table + " (" + columns + ")");
        return table;
    }

    /** A table whose row {@link #ORPHAN} has no parent yet, and the name of the table of the parents. */
    private static Family newFamily() {
        String parents = newTable("n bigint PRIMARY KEY");
        STORE.execute("INSERT INTO " + parents + " SELECT n FROM generate_series(0, 100) n WHERE n <> " + ORPHAN);
        String children = newTable("id bigserial, doc jsonb, n bigint GENERATED ALWAYS AS ((doc->>'n')::bigint) STORED"
                + " REFERENCES " + parents);
        return new Family(parents, children);
    }

    private record Family(String parents, String children) {
        void adopt() {
            STORE.execute("INSERT INTO " + parents + " VALUES (" + ORPHAN + ")");
        }
    }

    private static Map<String, String> settings(String overrides, String... more) {
        List<String> pairs = new ArrayList<>(List.of(more));
        Map<String, String> settings = new HashMap<>(Map.of("error.overrides", overrides));
        for (int i = 0; i < pairs.size(); i += 2) {
            settings.put(pairs.get(i), pairs.get(i + 1));
        }
        settings.put("name", "overrides" + tables); // exactly once keeps the offsets of each connector
        return STORE.connected(settings);
    }

    /** Documents of one partition, alternately for these tables. */
    private static List<Document> rows(String... destinations) {
        Progress assignment = Documents.newAssignment();
        return LongStream.range(0, ROWS)
                .mapToObj(offset ->
                        Documents.append(assignment, offset, destinations[(int) (offset % destinations.length)]))
                .toList();
    }

    private static void assertRows(String table, LongStream numbers) {
        assertThat(STORE.column("SELECT doc->>'n' FROM " + table + " ORDER BY id"))
                .containsExactlyElementsOf(numbers.mapToObj(Long::toString).toList());
    }

    private static LongStream numbers() {
        return LongStream.range(0, ROWS);
    }

    @ParameterizedTest
    @CsvSource({
        "at_least_once, values",
        "at_least_once, unnest",
        "at_least_once, copy",
        "exactly_once, unnest",
        "exactly_once, copy"
    })
    void aRowWhoseParentArrivesLateIsWrittenInItsPlace(String guarantee, String method) {
        Family family = newFamily();

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                settings("23503:retry:10m", "delivery.guarantee", guarantee, "insert.method", method),
                rows(family.children()),
                () -> {
                    assertRows(family.children(), LongStream.empty());
                    family.adopt();
                });

        assertThat(refused).isEmpty();
        assertRows(family.children(), numbers());
    }

    @Test
    void aTableThatWaitsHoldsUpNoOther() {
        Family family = newFamily();
        STORE.execute("DELETE FROM " + family.parents() + " WHERE n = 8");
        String other = newTable("id bigserial, doc jsonb");

        Map<Long, RefusedException> refused =
                DeliveredDocuments.refusals(settings("23503:retry"), rows(family.children(), other), () -> {
                    assertRows(other, numbers().filter(n -> n % 2 == 1));
                    assertRows(family.children(), LongStream.empty());
                    STORE.execute("INSERT INTO " + family.parents() + " VALUES (8)");
                });

        assertThat(refused).isEmpty();
        assertRows(family.children(), numbers().filter(n -> n % 2 == 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", EXACTLY_ONCE})
    void aRowWhoseTimeIsOverIsRefusedAlone(String guarantee) {
        Family family = newFamily();

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                settings("23503:retry:20ms", "delivery.guarantee", guarantee), rows(family.children()));

        assertThat(refused).containsOnlyKeys(ORPHAN);
        assertThat(refused.get(ORPHAN)).hasMessageContaining("23503");
        assertRows(family.children(), numbers().filter(n -> n != ORPHAN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", EXACTLY_ONCE})
    void refusesTheRecordsOfAMissingTable(String guarantee) {
        String table = newTable("id bigserial, doc jsonb");

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                settings("42P01:refuse", "delivery.guarantee", guarantee), rows(table, "\"missing\""));

        assertThat(refused.keySet())
                .containsExactlyElementsOf(
                        numbers().filter(n -> n % 2 == 1).boxed().toList());
        assertThat(refused.get(1L).facts()).containsEntry("kind", "destination").containsEntry("sqlstate", "42P01");
        assertRows(table, numbers().filter(n -> n % 2 == 0));
    }

    /** The statement that writes a row moves the offsets, too, and gets the same error. */
    @ParameterizedTest
    @ValueSource(strings = {"values", "copy"})
    void aMissingTableOfOffsetsIsNoRecordsFault(String method) throws WriteException {
        String table = newTable("id bigserial, doc jsonb");
        String offsets = "offsets" + tables;
        STORE.execute("CREATE TABLE " + offsets + OFFSETS_COLUMNS);
        List<Document> documents = rows(table);
        Map<String, String> settings = settings(
                "42P01:refuse", "delivery.guarantee", EXACTLY_ONCE, "offsets.table", offsets, "insert.method", method);
        try (Target target = new PostgresTargetType().open(settings);
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(documents.subList(0, 2))).isEmpty();
            STORE.execute("DROP TABLE " + offsets);

            assertThatThrownBy(() -> writer.write(documents.subList(2, 3)))
                    .isInstanceOfSatisfying(
                            WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.FATAL))
                    .hasMessageContaining("42P01");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", EXACTLY_ONCE})
    void waitsForATableThatIsCreatedLate(String guarantee) {
        String table = "\"late" + tables++ + "\"";

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                settings("42P01:retry", "delivery.guarantee", guarantee),
                rows(table),
                () -> STORE.execute("CREATE TABLE " + table + " (id bigserial, doc jsonb)"));

        assertThat(refused).isEmpty();
        assertRows(table, numbers());
    }

    @ParameterizedTest
    @CsvSource({
        "at_least_once, 23514:refuse",
        "at_least_once, 23514:retry:100ms:refuse",
        EXACTLY_ONCE + ", 23514:refuse",
        EXACTLY_ONCE + ", 23514:retry:100ms:refuse"
    })
    void refusesRowsWithoutAPartition(String guarantee, String override) {
        String table = newTable("id bigserial, doc jsonb) PARTITION BY RANGE (((doc->>'n')::bigint)");
        STORE.execute("CREATE TABLE " + table.replace("\"", "") + "a PARTITION OF " + table
                + " FOR VALUES FROM (0) TO (" + ORPHAN + ")");
        STORE.execute("CREATE TABLE " + table.replace("\"", "") + "b PARTITION OF " + table + " FOR VALUES FROM ("
                + (ORPHAN + 1) + ") TO (100)");

        Map<Long, RefusedException> refused =
                DeliveredDocuments.refusals(settings(override, "delivery.guarantee", guarantee), rows(table));

        assertThat(refused).containsOnlyKeys(ORPHAN);
        assertRows(table, numbers().filter(n -> n != ORPHAN));
    }

    /** Without a destination that is closed, the same row would be tried again at once, and again. */
    @Test
    void namesTheTableWithoutAPartitionIfNoRowCanBeTried() {
        String table = newTable("id bigserial, doc jsonb) PARTITION BY RANGE (((doc->>'n')::bigint)");
        STORE.execute("CREATE ROLE untrusted LOGIN PASSWORD 'untrusted'");
        STORE.execute("GRANT ALL ON " + table + ", tidegate_offsets TO untrusted");
        STORE.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO untrusted");
        STORE.execute("REVOKE USAGE ON LANGUAGE plpgsql FROM PUBLIC"); // so that no trial is possible
        Map<String, String> settings =
                settings("23514:refuse", "delivery.guarantee", EXACTLY_ONCE, "validate.server", "never");
        settings.put("connection.user", "untrusted");
        settings.put("connection.password", "untrusted");
        List<Document> alone = rows(table).subList(0, 1);
        try (Target target = new PostgresTargetType().open(settings);
                BatchWriter writer = target.openWriter(0)) {
            assertThatThrownBy(() -> writer.write(alone)).isInstanceOfSatisfying(WriteException.class, e -> {
                assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
                assertThat(e.destinations()).containsOnlyKeys(table);
            });
        } finally {
            STORE.execute("GRANT USAGE ON LANGUAGE plpgsql TO PUBLIC");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", EXACTLY_ONCE})
    void refusesWhatATriggerRejectsWithAnErrorThatIsFatalOtherwise(String guarantee) {
        for (int first : new int[] {0, (int) ORPHAN}) { // among others, and alone
            assertTriggersRowIsRefused(guarantee, first);
        }
    }

    private static void assertTriggersRowIsRefused(String guarantee, int first) {
        String table = newTable("id bigserial, doc jsonb");
        STORE.execute("CREATE OR REPLACE FUNCTION no_seven() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF NEW.doc->>'n' = '" + ORPHAN + "' THEN RAISE EXCEPTION 'no' USING ERRCODE = '0A000'; END IF;"
                + " RETURN NEW; END $$");
        STORE.execute(
                "CREATE TRIGGER no_seven BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION no_seven()");

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                settings("0a:dlq", "delivery.guarantee", guarantee),
                rows(table).subList(first, first == 0 ? ROWS : first + 1));

        assertThat(refused).containsOnlyKeys(ORPHAN);
        assertThat(refused.get(ORPHAN).facts())
                .containsEntry("kind", "override")
                .containsEntry("sqlstate", "0A000");
        assertRows(table, numbers().filter(n -> first == 0 && n != ORPHAN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", EXACTLY_ONCE})
    void failsTheTaskInsteadOfRefusing(String guarantee) {
        Family family = newFamily();

        assertThatThrownBy(() -> DeliveredDocuments.refusals(
                        settings("23*:Fail", "delivery.guarantee", guarantee), rows(family.children())))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("23503");
    }

    /** A table whose rows take longer than the server's time limit is postponed, unless an override decides otherwise. */
    @ParameterizedTest
    @CsvSource({"at_least_once, 57014:retry", "exactly_once, 57014:retry", "at_least_once, 57014:fail"})
    void aSlowTableWaitsOrFailsTheTask(String guarantee, String override) {
        String slow = newTable("id bigserial, doc jsonb");
        String other = newTable("id bigserial, doc jsonb");
        STORE.execute("CREATE TABLE " + slow.replace("t", "hangs") + " ()");
        STORE.execute("CREATE OR REPLACE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF to_regclass(replace(quote_ident(TG_TABLE_NAME), 't', 'hangs')) IS NOT NULL THEN PERFORM pg_sleep(60);"
                + " END IF; RETURN NEW; END $$");
        STORE.execute("CREATE TRIGGER hang BEFORE INSERT ON " + slow + " FOR EACH ROW EXECUTE FUNCTION hang()");
        Map<String, String> settings = settings(override, "delivery.guarantee", guarantee);
        settings.put("connection.url", SERVER.jdbcUrl() + "?options=-c%20statement_timeout=500");

        if (override.endsWith("fail")) {
            assertThatThrownBy(() -> DeliveredDocuments.refusals(settings, rows(slow, other)))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("57014");
            return;
        }
        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                settings, rows(slow, other), () -> STORE.execute("DROP TABLE " + slow.replace("t", "hangs")));

        assertThat(refused).isEmpty();
        assertRows(slow, numbers().filter(n -> n % 2 == 0));
        assertRows(other, numbers().filter(n -> n % 2 == 1));
    }

    /** The trial for one error must not refuse a row that another override retries. */
    @Test
    void eachRowIsHandledByItsOwnError() {
        Family family = newFamily();
        STORE.execute("ALTER TABLE " + family.children() + " ADD CHECK (n <> 3)");

        Map<Long, RefusedException> refused =
                DeliveredDocuments.refusals(settings("23503:retry"), rows(family.children()), family::adopt);

        assertThat(refused).containsOnlyKeys(3L);
        assertRows(family.children(), numbers().filter(n -> n != 3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", EXACTLY_ONCE})
    void aDeletionWaitsForTheRowThatStillRefersToItsRow(String guarantee) {
        String parents = newTable("k text PRIMARY KEY, doc jsonb");
        String children = newTable("k text REFERENCES " + parents);
        STORE.execute("INSERT INTO " + parents + " VALUES ('a'), ('b')");
        STORE.execute("INSERT INTO " + children + " VALUES ('b')");
        Progress assignment = Documents.newAssignment();

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                settings(
                        "23503:retry:10m",
                        "delivery.guarantee",
                        guarantee,
                        "insert.mode",
                        "upsert",
                        "pk.mode",
                        "record_key",
                        "pk.fields",
                        "k",
                        "delete.enabled",
                        "true"),
                Stream.of("a", "b")
                        .map(key -> Documents.delete(assignment, key.equals("a") ? 0 : 1, parents, key))
                        .toList(),
                () -> STORE.execute("DELETE FROM " + children));

        assertThat(refused).isEmpty();
        assertThat(STORE.column("SELECT k FROM " + parents)).isEmpty();
    }
}
