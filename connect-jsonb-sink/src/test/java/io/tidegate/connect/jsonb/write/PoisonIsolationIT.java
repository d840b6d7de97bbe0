package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.jsonb.settings.InsertMethod;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.RowDelete;
import io.tidegate.connect.jsonb.sql.RowSql;
import io.tidegate.connect.jsonb.sql.TableLookUp;
import io.tidegate.connect.jsonb.sql.TableShape;
import io.tidegate.connect.jsonb.sql.UnnestInsert;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad rows among 5,000, one or all of them: what it costs to find them, counted on a real PostgreSQL. */
final class PoisonIsolationIT {
    private static final int ROWS = 5_000;

    /** For any number of bad rows: the statement that fails, the three of the trial, the rest. */
    private static final int MOST_STATEMENTS = 5;

    private static final Pattern SENT = Pattern.compile(
            "] tidegate.*? LOG:  (execute|statement)[^:]*: (INSERT|COPY|DELETE|WITH|DO|BEGIN|COMMIT|ROLLBACK|SELECT set_config|SELECT current_setting)\\b");

    private static final PostgresServer SERVER = PostgresServer.builder()
            .fastStart()
            .setting("log_statement", "all")
            .setting("log_parameter_max_length", "0")
            .build();
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
        String table = "poison" + tables++;
        STORE.execute("CREATE TABLE " + table + " (id bigserial, " + columns + ")");
        return '"' + table + '"';
    }

    private static Map<String, String> method(InsertMethod method) {
        return STORE.connected(Map.of("insert.method", method.name().toLowerCase(Locale.ROOT)));
    }

    private static List<Document> rows(String table, LongPredicate isBad, LongFunction<String> bad) {
        Progress assignment = Documents.newAssignment();
        return LongStream.range(0, ROWS)
                .mapToObj(offset -> isBad.test(offset)
                        ? Documents.append(assignment, offset, table, bad.apply(offset))
                        : Documents.append(assignment, offset, table))
                .toList();
    }

    private static List<Long> offsets(LongPredicate isBad) {
        return LongStream.range(0, ROWS).filter(isBad).boxed().toList();
    }

    /** Those that the sink has sent; without what it and the driver ask of the catalogue and set in a new connection. */
    private static int statements() {
        try (Stream<String> lines = Files.lines(SERVER.log())) {
            return (int) lines.filter(line -> SENT.matcher(line).find()).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertGoodRowsInOrder(String table, LongPredicate isBad) {
        assertThat(STORE.column("SELECT doc->>'n' FROM " + table + " ORDER BY id").stream()
                        .map(Long::valueOf))
                .containsExactlyElementsOf(offsets(isBad.negate()));
    }

    /** Its state is of the class of wrong values. */
    @Test
    void anExhaustedSequenceHoldsUpItsTableAndRefusesNoRow() {
        String table = newTable("doc jsonb");
        String limit = "ALTER SEQUENCE " + table.replace("\"", "") + "_id_seq MAXVALUE ";
        STORE.execute(limit + 7);

        assertThat(DeliveredDocuments.refusals(
                        STORE.connected(Map.of()),
                        rows(table, offset -> offset == 9, offset -> "no JSON"),
                        () -> STORE.execute(limit + 1_000_000)))
                .containsOnlyKeys(9L);

        assertGoodRowsInOrder(table, offset -> offset == 9);
    }

    /** The input functions of some types give the state of a wrong statement. */
    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void aValueThatItsTypeCannotParseIsThatRecordsFault(InsertMethod method) {
        List<String> ways = method == InsertMethod.COPY // which computes nothing
                ? List.of("columns.from.fields=known")
                : List.of("columns.from.fields=known", "extract.columns=q:$.q");
        for (String settings : ways) {
            String table = newTable("doc jsonb, n int, q tsquery");
            Map<String, String> props = new HashMap<>(method(method));
            props.putAll(Props.of(settings));
            if (!settings.startsWith("columns")) {
                STORE.execute("ALTER TABLE " + table + " DROP COLUMN n");
            }
            List<Long> bad = List.of(33L, 34L, 600L);
            assertThat(DeliveredDocuments.refusals(
                            props, rows(table, bad::contains, offset -> "{\"n\": " + offset + ", \"q\": \"a &\"}")))
                    .containsOnlyKeys(bad)
                    .allSatisfy((offset, reason) -> assertThat(reason.facts())
                            .containsEntry("kind", "data")
                            .containsEntry("sqlstate", "42601"));
            assertThat(STORE.column("SELECT count(*) FROM " + table)).containsExactly("4997");
        }
    }

    /** PL/pgSQL gives the state of a wrong statement, without a position. */
    @Test
    void aTriggerThatIsWrongRefusesNoRow() {
        String table = newTable("doc jsonb");
        STORE.execute(
                "CREATE FUNCTION wrong() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN SELECT 1; RETURN NEW; END $$");
        STORE.execute("CREATE TRIGGER wrong BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION wrong()");

        assertThatThrownBy(() -> DeliveredDocuments.refusals(
                        method(InsertMethod.AUTO), rows(table, offset -> false, offset -> "")))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("42601");
    }

    /** Its error has the state that a server gives for a kind of statement that it lacks. */
    @Test
    void aFunctionThatATriggerLacksForAMomentEndsNoCopies() throws InterruptedException {
        String table = newTable("doc jsonb");
        STORE.execute("CREATE SEQUENCE moments");
        STORE.execute("CREATE FUNCTION once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF nextval('moments') = 1 THEN PERFORM lacking(); END IF; RETURN NEW; END $$");
        STORE.execute("CREATE TRIGGER once BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION once()");
        List<Document> rows = rows(table, offset -> false, offset -> "");
        try (Target target = new PostgresTargetType().open(method(InsertMethod.AUTO));
                BatchWriter writer = target.openWriter(0)) {
            DeliveredDocuments delivered =
                    DeliveredDocuments.to(target, writer, rows.get(0).progress());
            assertThat(delivered.deliver(rows.subList(0, 2_500))).isEmpty();
            int before = copies();
            assertThat(delivered.deliver(rows.subList(2_500, ROWS))).isEmpty();
            assertThat(copies() - before).isPositive();
        }
        assertGoodRowsInOrder(table, offset -> false);
    }

    private static int copies() {
        try (Stream<String> lines = Files.lines(SERVER.log())) {
            return (int) lines.filter(line -> line.contains(" tidegate") && line.contains("COPY \"poison"))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An ALTER that waits for the rejected statement gets its lock before the trial does. */
    @Test
    void aTableThatIsAlteredBeforeTheTrialCostsNoRow() throws SQLException {
        String table = newTable("doc jsonb");
        AbstractConfig config = new AbstractConfig(new PostgresTargetType().config(), STORE.connected(Map.of()), false);
        RowSettings row = RowSettings.from(config);
        InsertSettings insert = InsertSettings.from(config);
        PoisonRowFinder finder = new PoisonRowFinder(
                row, new UnnestInsert(new RowSql(row, insert)), new RowDelete(row, insert), ErrorOverrides.NONE);
        List<Document> rows = rows(table, offset -> false, offset -> "");
        RowGroup group = RowGroup.of(rows, ROWS, RowGroup.Keys.ANY).get(0);
        try (Connection connection = SERVER.connect()) {
            TableShape before = TableLookUp.of(connection, table, List.of());
            STORE.execute("ALTER TABLE " + table + " ALTER doc TYPE text");

            assertThatThrownBy(() -> finder.find(group, connection, before))
                    .isInstanceOfSatisfying(SQLException.class, e -> assertThat(TableShape.saysAltered(e))
                            .isTrue());
        }
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void aPlainInsertThatComesAgainRefusesNoRowThatIsStored(InsertMethod method) {
        String table = newTable("doc jsonb, t text, p int, o bigint, at timestamptz(0), UNIQUE (t, p, o)");
        Map<String, String> settings = STORE.connected(Map.of(
                "insert.method",
                method.name().toLowerCase(Locale.ROOT),
                "metadata.columns",
                "topic:t,partition:p,offset:o,timestamp:at"));
        List<Document> stored = new ArrayList<>();
        for (int offset = 0; offset < 6; offset++) {
            stored.add(Documents.append(offset, table, "{\"n\": " + offset + ", \"x\": 1.50}"));
        }
        assertThat(DeliveredDocuments.refusals(settings, stored)).isEmpty();
        STORE.execute("UPDATE " + table + " SET doc = '{\"n\": 99}' WHERE o = 3");

        List<Document> again = new ArrayList<>(stored);
        again.add(Documents.append(6, table, "{\"n\": 6}"));
        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(settings, again);

        assertThat(refused).as("only the one that differs").containsOnlyKeys(3L);
        assertThat(refused.get(3L).facts()).containsEntry("sqlstate", "23505");
        assertThat(STORE.column("SELECT count(*) || ' ' || max(o) FROM " + table))
                .containsExactly("7 6");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(station)", "(t, p, o, station)", "(t, p, (o + 0))", "(t, p, o) WHERE o < 100"})
    void storedRowsAreNotLookedForWithoutAnIndexOnTheirCoordinatesAlone(String index) {
        String table = newTable("doc jsonb, t text, p int, o bigint, station text");
        STORE.execute("CREATE UNIQUE INDEX ON " + table + index);
        Map<String, String> settings = STORE.connected(
                Map.of("metadata.columns", "topic:t,partition:p,offset:o", "extract.columns", "station:$.s"));
        List<Document> stored = new ArrayList<>();
        for (int offset = 0; offset < 3; offset++) {
            stored.add(Documents.append(offset, table, "{\"s\": \"" + offset + "\"}"));
        }
        assertThat(DeliveredDocuments.refusals(settings, stored)).isEmpty();

        List<Document> again = new ArrayList<>(stored);
        again.add(Documents.append(3, table, "{\"s\": \"3\"}"));
        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(settings, again);

        assertThat(refused).containsOnlyKeys(0L, 1L, 2L);
        assertThat(refused.values())
                .allSatisfy(reason -> assertThat(reason.facts()).containsEntry("sqlstate", "23505"));
        assertThat(STORE.column("SELECT o FROM " + table + " ORDER BY o")).containsExactly("0", "1", "2", "3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(key) WHERE key <> 'free'", "(station)"})
    void anEqualRowThatNoIndexForbidsIsWritten(String index) {
        String table = newTable("doc jsonb, key text, station text");
        STORE.execute("CREATE UNIQUE INDEX ON " + table + index);
        Map<String, String> settings =
                STORE.connected(Map.of("pk.mode", "record_key", "pk.fields", "key", "extract.columns", "station:$.s"));

        assertThat(DeliveredDocuments.refusals(
                        settings,
                        List.of(
                                Documents.write(1, table, "free", "{}"),
                                Documents.write(2, table, "bound", "{\"s\": \"x\"}"))))
                .isEmpty();
        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                settings,
                List.of(Documents.write(3, table, "free", "{}"), Documents.write(4, table, "bound", "{\"s\": \"x\"}")));

        assertThat(refused).containsOnlyKeys(4L);
        assertThat(refused.get(4L).facts()).containsEntry("sqlstate", "23505");
        assertThat(STORE.column("SELECT key FROM " + table + " ORDER BY key")).containsExactly("bound", "free", "free");
    }

    /** A type of keys, and two texts that are equal in it. */
    static List<Arguments> equalTexts() {
        List<Arguments> keys = new ArrayList<>(List.of(Arguments.of("numeric", "1", "1.0")));
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
    @MethodSource("equalTexts")
    void aKeyOfAnotherTextIsNotStoredAlready(String type, String key, String equal) {
        String table = newTable("doc jsonb, key " + type + " UNIQUE");
        Map<String, String> settings = STORE.connected(Map.of("pk.mode", "record_key", "pk.fields", "key"));
        assertThat(DeliveredDocuments.refusals(settings, List.of(Documents.write(1, table, key, "{}"))))
                .isEmpty();

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                settings, List.of(Documents.write(2, table, key, "{}"), Documents.write(3, table, equal, "{}")));

        assertThat(refused).containsOnlyKeys(3L);
        assertThat(refused.get(3L).facts()).containsEntry("sqlstate", "23505");
        assertThat(STORE.column("SELECT key::text FROM " + table)).containsExactly(key);
    }

    static Stream<Arguments> mixtures() {
        List<Arguments> mixtures = new ArrayList<>();
        for (InsertMethod method : List.of(InsertMethod.VALUES, InsertMethod.UNNEST, InsertMethod.COPY)) {
            mixtures.add(Arguments.of(method, "one", (LongPredicate) offset -> offset == 3_333));
            mixtures.add(Arguments.of(method, "some", (LongPredicate) offset -> offset % 50 == 7));
            mixtures.add(Arguments.of(method, "half", (LongPredicate) offset -> offset % 2 == 1));
            mixtures.add(Arguments.of(method, "all", (LongPredicate) offset -> true));
        }
        return mixtures.stream();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("mixtures")
    void malformedRowsCostTwoStatementsHoweverMany(InsertMethod method, String name, LongPredicate isBad) {
        String table = newTable("doc jsonb");
        int before = statements();

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                method(method), rows(table, isBad, offset -> "{\"n\": " + offset + ", \"never\": \"closed"));

        // A statement whose parameters cannot be read is not even logged.
        assertThat(statements() - before).as("statements").isLessThanOrEqualTo(2);
        assertThat(refused.keySet()).containsExactlyElementsOf(offsets(isBad));
        assertThat(refused.values()).allSatisfy(reason -> assertThat(reason.facts())
                .containsEntry("kind", "data")
                .containsEntry("sqlstate", "22P02")
                .containsEntry("table", table)
                .containsEntry("statement", method == InsertMethod.COPY ? "copy" : "insert")
                .containsEntry("attempts", 1L));
        assertGoodRowsInOrder(table, isBad);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("mixtures")
    void rowsThatAConstraintForbidsCostAFewStatementsHoweverMany(
            InsertMethod method, String name, LongPredicate isBad) {
        String table = newTable("doc jsonb CONSTRAINT positive CHECK ((doc->>'n')::int >= 0)");
        int before = statements();

        Map<Long, RefusedException> refused =
                DeliveredDocuments.refusals(method(method), rows(table, isBad, offset -> "{\"n\": -1}"));

        assertThat(statements() - before).as("statements").isBetween(1, MOST_STATEMENTS);
        assertThat(refused.keySet()).containsExactlyElementsOf(offsets(isBad));
        assertThat(refused.values()).allSatisfy(reason -> {
            assertThat(reason.facts())
                    .containsEntry("kind", "constraint")
                    .containsEntry("sqlstate", "23514")
                    .containsEntry("constraint", "positive")
                    .containsEntry("table", table);
            assertThat(reason).hasMessageContaining("violates check constraint").hasMessageNotContaining("-1");
        });
        assertGoodRowsInOrder(table, isBad);
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void everyKindOfFaultIsFoundInOneGo(InsertMethod method) {
        STORE.execute("CREATE TABLE IF NOT EXISTS stations (n int PRIMARY KEY)");
        STORE.execute("INSERT INTO stations SELECT generate_series(0, 9999) ON CONFLICT DO NOTHING");
        String table = newTable("doc jsonb NOT NULL CHECK ((doc->>'n')::int < 6000),"
                + " n int GENERATED ALWAYS AS ((doc->>'n')::int) STORED NOT NULL UNIQUE"
                + " REFERENCES stations DEFERRABLE INITIALLY DEFERRED");
        Map<Long, String> bad = new HashMap<>();
        bad.put(10L, "{\"n\": 9}"); // twice in the batch: 23505
        bad.put(20L, "{\"n\": 6000}"); // 23514
        bad.put(30L, "{\"n\": -7}"); // 23503, at the end of the transaction
        bad.put(40L, "{\"n\": 99999999999}"); // 22003
        bad.put(50L, "{\"n\": \"x\"}"); // 22P02 of another type
        bad.put(60L, "{}"); // 23502
        bad.put(70L, "[".repeat(200_000) + "]".repeat(200_000)); // 54001
        bad.put(80L, "{\"n\": 80, \"big\": 1e999999}"); // 22003
        bad.put(90L, "{\"n\": 90, \"nul\": \"\\u0000\"}"); // 22P05, which this side finds
        int before = statements();

        Map<Long, RefusedException> refused =
                DeliveredDocuments.refusals(method(method), rows(table, bad::containsKey, bad::get));

        // One more for those that this side finds.
        assertThat(statements() - before).as("statements").isBetween(1, MOST_STATEMENTS + 1);
        assertThat(refused.values())
                .extracting(reason -> reason.facts().get("sqlstate"))
                .containsExactly("23505", "23514", "23503", "22003", "22P02", "23502", "54001", "22003", "22P05");
        assertThat(refused.keySet()).containsExactlyElementsOf(offsets(bad::containsKey));
        assertGoodRowsInOrder(table, bad::containsKey);
    }

    @Test
    void rowsThatAreThereAlreadyAreRefusedWhereTheTableForbidsThem() {
        String table = newTable("doc jsonb UNIQUE");
        STORE.execute("INSERT INTO " + table + " (doc) SELECT format('{\"n\": %s}', n)::jsonb"
                + " FROM generate_series(0, 4999, 3) AS s(n)");
        STORE.execute("ALTER TABLE " + table + " ADD fresh bool DEFAULT true");
        int before = statements();

        Map<Long, RefusedException> refused =
                DeliveredDocuments.refusals(method(InsertMethod.AUTO), rows(table, offset -> false, offset -> ""));

        assertThat(statements() - before).as("statements").isBetween(1, MOST_STATEMENTS);
        assertThat(refused.keySet()).containsExactlyElementsOf(offsets(offset -> offset % 3 == 0));
        assertThat(STORE.column("SELECT count(*) FROM " + table)).containsExactly("5000");
    }

    @Test
    void whatATriggerRefusesIsFoundToo() {
        String table = newTable("doc jsonb");
        STORE.execute("CREATE FUNCTION no_thirteen() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF (NEW.doc->>'n')::int % 1000 = 13 THEN RAISE EXCEPTION SQLSTATE 'NO013' USING MESSAGE = 'unlucky';"
                + " END IF; RETURN NEW; END $$");
        STORE.execute("CREATE TRIGGER no_thirteen BEFORE INSERT ON " + table
                + " FOR EACH ROW EXECUTE FUNCTION no_thirteen()");

        Map<Long, RefusedException> refused =
                DeliveredDocuments.refusals(method(InsertMethod.AUTO), rows(table, offset -> false, offset -> ""));

        assertThat(refused.keySet()).containsExactlyElementsOf(offsets(offset -> offset % 1_000 == 13));
        assertThat(refused.get(13L))
                .hasMessage(
                        "unlucky, SQLSTATE NO013 {\"kind\":\"trigger\",\"sqlstate\":\"NO013\",\"table\":\"\\\"poison"
                                + (tables - 1) + "\\\"\",\"statement\":\"copy\",\"attempts\":1}");
    }

    @Test
    void badKeysAndRowsThatCannotBeDeletedAreFound() {
        String table = newTable("doc jsonb, station int PRIMARY KEY");
        STORE.execute("CREATE TABLE readings_of (station int REFERENCES " + table + ")");
        STORE.execute("INSERT INTO " + table + " (doc, station) SELECT '{}', generate_series(0, 99)");
        STORE.execute("INSERT INTO readings_of VALUES (42), (77)");
        Map<String, String> upserts = STORE.connected(Map.of(
                "insert.mode", "upsert",
                "pk.mode", "record_key",
                "pk.fields", "station",
                "delete.enabled", "true"));
        List<Document> documents = new ArrayList<>();
        for (int offset = 0; offset < 100; offset++) {
            documents.add(Documents.delete(offset, table, Integer.toString(offset)));
        }
        documents.add(Documents.delete(100, table, "not a number"));
        documents.add(Documents.write(101, table, "500", "{\"n\": 101}"));
        documents.add(Documents.write(102, table, "nor this", "{\"n\": 102}"));

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(upserts, documents);

        assertThat(refused.keySet()).containsExactly(42L, 77L, 100L, 102L);
        assertThat(refused.get(42L).facts())
                .containsEntry("sqlstate", "23503")
                .containsEntry("constraint", "readings_of_station_fkey")
                .containsEntry("statement", "delete");
        assertThat(refused.get(100L).facts()).containsEntry("sqlstate", "22P02");
        assertThat(STORE.column("SELECT station FROM " + table + " ORDER BY station"))
                .containsExactly("42", "77", "500");
    }

    /** The sink writes a batch in the order of its keys, and deletions apart. */
    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once"})
    void aRowThatAnotherOneMakesRoomForIsWritten(String guarantee) {
        String table = newTable("doc jsonb, key text UNIQUE, mail text UNIQUE");
        STORE.execute("INSERT INTO " + table + " (doc, key, mail) VALUES ('{}', 'b', 'x'), ('{}', 'z', 'y')");
        Map<String, String> settings = keyed(guarantee, table);
        Progress assignment = Documents.newAssignment();

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                settings,
                List.of(
                        Documents.write(assignment, 0, table, "b", "{\"mail\":\"w\"}"),
                        Documents.write(assignment, 1, table, "a", "{\"mail\":\"x\"}"),
                        Documents.delete(assignment, 2, table, "z"),
                        Documents.write(assignment, 3, table, "c", "{\"mail\":\"y\"}"),
                        Documents.write(assignment, 4, table, "d", "{\"mail\":\"y\"}")));

        assertThat(refused).containsOnlyKeys(4L);
        assertThat(refused.get(4L).facts()).containsEntry("sqlstate", "23505");
        assertThat(STORE.column("SELECT key || mail FROM " + table + " ORDER BY key"))
                .containsExactly("ax", "bw", "cy");
    }

    /** The table of what refers is written first, because of its name. */
    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once"})
    void aRowThatRefersToOneOfAnotherTableIsWritten(String guarantee) {
        String parent = "\"z_" + guarantee + "\"";
        STORE.execute("CREATE TABLE " + parent + " (doc jsonb, key text UNIQUE)");
        String child = newTable("doc jsonb, key text UNIQUE, station text REFERENCES " + parent + " (key)");
        Progress assignment = Documents.newAssignment();

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                keyed(guarantee, child),
                List.of(
                        Documents.write(assignment, 0, parent, "z", "{}"),
                        Documents.write(assignment, 1, child, "b", "{\"station\":\"z\"}"),
                        Documents.write(assignment, 2, child, "a", "{\"station\":\"none\"}")));

        assertThat(refused).containsOnlyKeys(2L);
        assertThat(STORE.column("SELECT key || station FROM " + child)).containsExactly("bz");
    }

    /** PostgreSQL 18 has another state for this reference. */
    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once"})
    void aRowThatARestrictedReferenceHoldsIsDeletedAfterWhatRefersToIt(String guarantee) {
        String parent = newTable("doc jsonb, key text UNIQUE");
        String child = "\"z_child_" + guarantee + "\"";
        STORE.execute("CREATE TABLE " + child + " (doc jsonb, key text UNIQUE, of text REFERENCES " + parent
                + " (key) ON DELETE RESTRICT)");
        STORE.execute("INSERT INTO " + parent + " (doc, key) VALUES ('{}', '1'), ('{}', '2')");
        STORE.execute("INSERT INTO " + child + " (doc, key, of) VALUES ('{}', '1', '1'), ('{}', '2', '2')");
        Progress assignment = Documents.newAssignment();

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                keyed(guarantee, parent),
                List.of(
                        Documents.delete(assignment, 0, child, "1"),
                        Documents.delete(assignment, 1, child, "2"),
                        Documents.delete(assignment, 2, parent, "1"),
                        Documents.delete(assignment, 3, parent, "2")));

        assertThat(refused).isEmpty();
        assertThat(STORE.column("SELECT key FROM " + parent)).isEmpty();
    }

    /** The deletion comes first in the order of keys. */
    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once"})
    void aRetriedRowIsNotHeldUpByOneThatWaitsBehindIt(String guarantee) {
        String table = "\"nodes_" + guarantee + "\"";
        STORE.execute(
                "CREATE TABLE " + table + " (doc jsonb, key text PRIMARY KEY, parent text REFERENCES " + table + ")");
        STORE.execute("INSERT INTO " + table + " (doc, key, parent) VALUES ('{}', '1', NULL), ('{}', '3', NULL),"
                + " ('{}', '2', '1')");
        Map<String, String> settings = new HashMap<>(keyed(guarantee, table));
        settings.put("error.overrides", "23503:retry");
        Progress assignment = Documents.newAssignment();

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                settings,
                List.of(
                        Documents.write(assignment, 0, table, "2", "{\"parent\":\"3\"}"),
                        Documents.delete(assignment, 1, table, "1")));

        assertThat(refused).isEmpty();
        assertThat(STORE.column("SELECT key FROM " + table + " ORDER BY key")).containsExactly("2", "3");
    }

    private static Map<String, String> keyed(String guarantee, String name) {
        return STORE.connected(Props.of("insert.mode=upsert pk.mode=record_key pk.fields=key delete.enabled=true"
                + " columns.from.fields=known delivery.guarantee=" + guarantee + " auto.create=true name="
                + name)); // creates the table of the offsets
    }

    @Test
    void aServerThatCannotTryRowsIsBisected() {
        String table = newTable("doc jsonb CHECK ((doc->>'n')::int >= 0)");
        STORE.execute("CREATE ROLE writer LOGIN PASSWORD 'writer'");
        STORE.execute("GRANT INSERT ON " + table + " TO writer");
        STORE.execute("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO writer");
        STORE.execute("REVOKE USAGE ON LANGUAGE plpgsql FROM PUBLIC");
        Map<String, String> settings = new HashMap<>(method(InsertMethod.UNNEST));
        settings.put("connection.user", "writer");
        settings.put("connection.password", "writer");
        LongPredicate isBad = offset -> offset == 1_234 || offset == 1_235;
        int before = statements();
        try {
            Map<Long, RefusedException> refused =
                    DeliveredDocuments.refusals(settings, rows(table, isBad, offset -> "{\"n\": -1}"));

            // 5,000 rows are halved 13 times; each time one half fails.
            assertThat(statements() - before).as("statements").isBetween(13, 2 * (2 * 13 + 1) + 3 * 13);
            assertThat(refused.keySet()).containsExactly(1_234L, 1_235L);
            assertThat(refused.get(1_234L).facts()).containsEntry("sqlstate", "23514");
        } finally {
            STORE.execute("GRANT USAGE ON LANGUAGE plpgsql TO PUBLIC");
        }
        assertGoodRowsInOrder(table, isBad);
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void exactlyOnceKeepsItsOffsetsPastRefusedRows(InsertMethod method) {
        STORE.execute(
                "CREATE TABLE IF NOT EXISTS tidegate_offsets (connector text, topic text, partition integer,"
                        + " next_offset bigint NOT NULL, generation bigint NOT NULL, record_offset bigint, record_timestamp bigint, record_hash bigint, record_rules bigint, PRIMARY KEY (connector, topic, partition))");
        String table = newTable("doc jsonb CHECK ((doc->>'n')::int >= 0)");
        Map<String, String> settings = new HashMap<>(method(method));
        settings.put("name", table);
        settings.put("delivery.guarantee", "exactly_once");
        LongPredicate isBad = offset -> offset % 100 == 0 || offset % 1_000 == 999;

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                settings, rows(table, isBad, offset -> offset % 1_000 == 999 ? "{\"never\": \"closed" : "{\"n\": -1}"));
        Map<Long, RefusedException> again =
                DeliveredDocuments.refusals(settings, rows(table, offset -> false, offset -> ""));

        assertThat(refused.keySet()).containsExactlyElementsOf(offsets(isBad));
        assertThat(again).isEmpty();
        assertThat(STORE.column("SELECT count(DISTINCT doc) = count(*) FROM " + table))
                .containsExactly("t");
    }

    /** The server cannot reach another one, which a trigger or a foreign table needs. It is well itself. */
    @Test
    void anErrorOfAnotherServerHoldsUpItsTableOnly() throws WriteException {
        String table = newTable("doc jsonb");
        String other = newTable("doc jsonb");
        STORE.execute("CREATE FUNCTION unreachable() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION"
                + " 'could not connect to server \"far\"' USING ERRCODE = '08001'; END $$;"
                + " CREATE TRIGGER far BEFORE INSERT ON " + table
                + " FOR EACH ROW EXECUTE FUNCTION unreachable()");
        String sessions = "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'tidegate%' ORDER BY pid";
        try (Target target = new PostgresTargetType().open(STORE.connected(Map.of()));
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(List.of(Documents.append(1, other, "{}")))).isEmpty();
            List<String> before = STORE.column(sessions);

            assertThatThrownBy(() ->
                            writer.write(List.of(Documents.append(2, table, "{}"), Documents.append(3, other, "{}"))))
                    .isInstanceOfSatisfying(WriteException.class, e -> {
                        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
                        assertThat(e.destinations()).containsOnlyKeys(table);
                        assertThat(e).hasMessageContaining("could not connect");
                    });

            assertThat(STORE.column(sessions)).isEqualTo(before).hasSize(1);
            assertThat(writer.write(List.of(Documents.append(3, other, "{}")))).isEmpty();
        }
        assertThat(STORE.column("SELECT count(*) FROM " + other)).containsExactly("2");
    }
}
