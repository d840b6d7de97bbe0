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
import io.tidegate.connect.jsonb.settings.InsertMethod;
import io.tidegate.connect.testkit.postgres.PgBouncer;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Skip;
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
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches for many tables on a real PostgreSQL: what is committed together, and what a table at fault does to the others. */
final class ManyTablesIT {
    private static final int TABLES = 40;

    private static final PostgresServer SERVER = PostgresServer.builder()
            .fastStart()
            .setting("log_statement", "all")
            .setting("log_parameter_max_length", "2kB")
            .build();
    private static final PostgresStore STORE = new PostgresStore(SERVER);
    private static int series;

    private final String prefix = "many" + series++ + "_";

    @BeforeAll
    static void start() {
        SERVER.start();
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    private void createTables(String columns) {
        for (int n = 0; n < TABLES; n++) {
            STORE.execute("CREATE TABLE " + table(n) + " (" + columns + ")");
        }
    }

    private String table(int n) {
        return prefix + "%03d".formatted(n); // in the order in which a batch is written
    }

    /** From all tables. */
    private List<String> fromAll(String columns) {
        return STORE.column(IntStream.range(0, TABLES)
                .mapToObj(n -> "SELECT " + columns + " FROM " + table(n))
                .collect(Collectors.joining(" UNION ALL ")));
    }

    /** Rows that go round the tables. */
    private List<Document> rounds(int rounds, IntFunction<String> json) {
        Progress assignment = Documents.newAssignment();
        List<Document> documents = new ArrayList<>();
        for (int offset = 0; offset < rounds * TABLES; offset++) {
            documents.add(Documents.append(assignment, offset, table(offset % TABLES), json.apply(offset)));
        }
        return documents;
    }

    private static String number(int n) {
        return "{\"n\": " + n + "}";
    }

    private static Map<String, String> method(InsertMethod method) {
        return STORE.connected(Map.of("insert.method", method.name().toLowerCase(Locale.ROOT)));
    }

    private static void write(Map<String, String> settings, List<Document> documents) throws WriteException {
        try (Target target = new PostgresTargetType().open(settings);
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(documents)).isEmpty();
        }
    }

    private static long logged(String text) {
        return logged(line -> line.contains(text));
    }

    /** How often a table was looked up. No other statement has an array of no key columns as its first parameter. */
    private static long lookUps(String table) {
        return logged(line -> line.contains("$1 = '{}', $2 = '") && line.contains(table));
    }

    private static long logged(Predicate<String> wanted) {
        try (Stream<String> lines = Files.lines(SERVER.log())) {
            return lines.filter(wanted).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = InsertMethod.class,
            names = {"VALUES", "UNNEST", "AUTO"})
    void aBatchIsCommittedOnceHoweverManyItsTables(InsertMethod method) throws WriteException {
        createTables("doc jsonb");

        write(method(method), rounds(3, ManyTablesIT::number));

        assertThat(fromAll("xmin::text"))
                .hasSize(3 * TABLES)
                .containsOnly(fromAll("xmin::text").get(0));
        assertThat(fromAll("count(*) || ' ' || (max((doc->>'n')::int) - min((doc->>'n')::int))"))
                .containsOnly("3 " + 2 * TABLES);
    }

    @Test
    void whatIsWorthACopyIsCopiedAlone() throws WriteException {
        createTables("doc jsonb");
        List<Document> documents = new ArrayList<>(rounds(1, ManyTablesIT::number));
        for (int offset = 0; offset < 1_000; offset++) {
            documents.add(Documents.append(TABLES + offset, table(1), number(offset)));
        }
        long before = logged("COPY " + table(1));

        write(STORE.connected(Map.of()), documents);

        assertThat(logged("COPY " + table(1)) - before).isEqualTo(1);
        assertThat(fromAll("count(*)")).hasSize(TABLES).containsOnly("1", "1001");
        assertThat(STORE.column("SELECT doc->>'n' FROM " + table(1) + " LIMIT 2"))
                .containsExactly("1", "0");
    }

    @Test
    void writesAndDeletionsOfATableKeepTheirOrder() throws WriteException {
        createTables("doc jsonb, id text PRIMARY KEY");
        List<Document> documents = new ArrayList<>();
        for (int n = 0; n < TABLES; n++) {
            documents.add(Documents.write(3L * n, table(n), "k", number(1)));
            documents.add(Documents.delete(3L * n + 1, table(n), "k"));
            documents.add(Documents.write(3L * n + 2, table(n), "k", number(2)));
        }

        write(
                STORE.connected(Map.of(
                        "insert.mode", "merge", "pk.mode", "record_key", "pk.fields", "id", "delete.enabled", "true")),
                documents);

        assertThat(fromAll("doc->>'n'")).hasSize(TABLES).containsOnly("2");
    }

    @ParameterizedTest
    @EnumSource(InsertMethod.class)
    void aRowAtFaultIsRefusedAloneAndAllOthersAreWrittenOnce(InsertMethod method) {
        createTables("doc jsonb CHECK ((doc->>'n')::int >= 0)");

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(
                method(method),
                rounds(3, offset -> offset == TABLES + 7 ? "{\"n\": -1}" : offset == 9 ? "{\"n\":" : number(offset)));

        assertThat(refused.keySet()).containsExactly(9L, TABLES + 7L);
        assertThat(refused.get(9L).facts()).containsEntry("sqlstate", "22P02").containsEntry("table", table(9));
        assertThat(refused.get(TABLES + 7L).facts())
                .containsEntry("sqlstate", "23514")
                .containsEntry("table", table(7));
        assertThat(fromAll("doc->>'n'")).hasSize(3 * TABLES - 2).doesNotHaveDuplicates();
    }

    private Map<String, String> exactlyOnce() {
        STORE.execute("CREATE TABLE IF NOT EXISTS tidegate_offsets (connector text, topic text, partition integer,"
                + " next_offset bigint NOT NULL, generation bigint NOT NULL, record_offset bigint,"
                + " record_timestamp bigint, record_hash bigint, record_rules bigint, PRIMARY KEY (connector,"
                + " topic, partition))");
        return Map.of("name", prefix, "delivery.guarantee", "exactly_once");
    }

    @Test
    void exactlyOnceCommitsRowsAndOffsetsInOneRoundTrip() throws WriteException {
        createTables("doc jsonb");
        long transactions = logged("BEGIN");

        write(STORE.connected(exactlyOnce()), rounds(3, ManyTablesIT::number));

        assertThat(fromAll("xmin::text"))
                .hasSize(3 * TABLES)
                .containsOnly(STORE.column("SELECT xmin::text FROM tidegate_offsets WHERE connector = '" + prefix + "'")
                        .get(0));
        assertThat(logged("BEGIN")).isEqualTo(transactions);
    }

    @Test
    void exactlyOnceWritesTheOthersOfARowAtFaultOnce() {
        createTables("doc jsonb CHECK ((doc->>'n')::int >= 0)");
        Map<String, String> settings = STORE.connected(exactlyOnce());
        List<Document> documents = rounds(3, offset -> number(offset == TABLES + 7 ? -1 : offset));

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(settings, documents);

        assertThat(refused.keySet()).containsExactly(TABLES + 7L);
        assertThat(refused.get(TABLES + 7L).facts()).containsEntry("table", table(7));
        assertThat(fromAll("doc->>'n'")).hasSize(3 * TABLES - 1).doesNotHaveDuplicates();
        assertThat(STORE.column("SELECT next_offset FROM tidegate_offsets WHERE connector = '" + prefix + "'"))
                .containsExactly(Integer.toString(3 * TABLES));
    }

    @ParameterizedTest
    @CsvSource({
        "TRANSACTION, at_least_once",
        "TRANSACTION, exactly_once",
        "STATEMENT, at_least_once",
        "STATEMENT, exactly_once"
    })
    void poolersTakeWritesAndDeletionsForManyTables(PgBouncer.PoolMode mode, String guarantee) {
        if (!PgBouncer.isInstalled()) {
            Skip.loudly(
                    ManyTablesIT.class, "there is no pgbouncer on this machine (Debian: apt-get install pgbouncer)");
        }
        createTables("doc jsonb CHECK ((doc->>'n')::int >= 0), id text PRIMARY KEY");
        Map<String, String> settings = new HashMap<>(STORE.connected(exactlyOnce()));
        settings.putAll(Map.of(
                "delivery.guarantee", guarantee,
                "insert.mode", "upsert",
                "pk.mode", "record_key",
                "pk.fields", "id",
                "delete.enabled", "true"));
        Progress assignment = Documents.newAssignment();
        List<Document> documents = new ArrayList<>();
        for (int n = 0; n < 3 * TABLES; n++) {
            String table = table(n / 3);
            documents.add(
                    n % 3 == 0
                            ? Documents.write(assignment, n, table, "gone", number(n))
                            : n % 3 == 1
                                    ? Documents.delete(assignment, n, table, "gone")
                                    : Documents.write(assignment, n, table, "k", number(n == 62 ? -1 : n)));
        }
        try (PgBouncer pooler = PgBouncer.inFrontOf(SERVER, mode)) {
            pooler.start();
            settings.put("connection.url", pooler.jdbcUrl());

            assertThat(DeliveredDocuments.refusals(settings, documents).keySet())
                    .containsExactly(62L);
        }

        assertThat(fromAll("id")).hasSize(TABLES - 1).containsOnly("k");
    }

    @Test
    void aMissingTableIsTheFaultOfTheRecordsThatNameIt() {
        createTables("doc jsonb");
        STORE.execute("DROP TABLE " + table(5));
        Map<String, String> settings = STORE.connected(Map.of("table.name.format", "${field:$.tenant}"));

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(settings, rounds(2, ManyTablesIT::number));

        assertThat(refused.keySet()).containsExactly(5L, TABLES + 5L);
        STORE.execute("CREATE TABLE " + table(5) + " (doc jsonb)");
        assertThat(fromAll("doc->>'n'")).hasSize(2 * TABLES - 2).doesNotHaveDuplicates();
    }

    @Test
    void aDeferredConstraintIsFoundInItsTable() {
        STORE.execute("CREATE TABLE " + prefix + "stations (n int PRIMARY KEY)");
        STORE.execute("INSERT INTO " + prefix + "stations SELECT generate_series(0, 39)");
        createTables("doc jsonb, n int GENERATED ALWAYS AS ((doc->>'n')::int) STORED REFERENCES " + prefix
                + "stations DEFERRABLE INITIALLY DEFERRED");

        Map<Long, RefusedException> refused =
                DeliveredDocuments.refusals(STORE.connected(Map.of()), rounds(2, offset -> number(offset % 41)));

        assertThat(refused.keySet()).containsExactly(40L);
        assertThat(fromAll("n")).hasSize(2 * TABLES - 1);
    }

    @Test
    void rowsThatExistAreKept() throws WriteException {
        createTables("doc jsonb, id text PRIMARY KEY");
        Map<String, String> settings =
                STORE.connected(Map.of("insert.mode", "ignore", "pk.mode", "record_key", "pk.fields", "id"));
        STORE.execute("INSERT INTO " + table(3) + " VALUES ('{\"n\": -1}', 'k')");
        List<Document> documents = new ArrayList<>();
        for (int n = 0; n < TABLES; n++) {
            documents.add(Documents.write(n, table(n), "k", number(n)));
        }

        write(settings, documents);
        write(settings, documents);

        assertThat(fromAll("doc->>'n'")).hasSize(TABLES).contains("-1").doesNotContain("3");
    }

    /** Who holds a lock may be altering its table, and no other. */
    @Test
    void onlyTheTableOfAnErrorIsLookedUpAgain() throws WriteException, SQLException {
        createTables("doc jsonb");
        List<Document> documents = rounds(1, ManyTablesIT::number);
        try (Target target =
                        new PostgresTargetType().open(STORE.connected(Map.of(), "?options=-c%20lock_timeout=50ms"));
                BatchWriter writer = target.openWriter(0)) {
            try (Connection other = SERVER.connect()) {
                other.setAutoCommit(false);
                other.createStatement().execute("LOCK TABLE " + table(1));

                assertThatThrownBy(() -> writer.write(documents))
                        .isInstanceOfSatisfying(WriteException.class, e -> {
                            assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
                            assertThat(e.unwritten()).isEqualTo(documents);
                            assertThat(e.destinations()).containsOnlyKeys(table(1));
                            assertThat(e.destinations().get(table(1)))
                                    .contains("SQLSTATE 55P03", "process ", "holds AccessExclusiveLock");
                        })
                        .hasMessageContaining("SQLSTATE 55P03");
                other.rollback(); // waits for the server, which a close does not
            }
            assertThat(writer.write(documents)).isEmpty();
        }

        assertThat(lookUps(table(1))).isEqualTo(2);
        assertThat(lookUps(table(0))).isEqualTo(1);
        assertThat(lookUps(table(2))).isEqualTo(1);
        assertThat(fromAll("doc->>'n'")).hasSize(TABLES).doesNotHaveDuplicates();
    }

    /** It waits for everybody, and writers for it: the log has to name the first of them. */
    @Test
    void aColumnThatCannotBeAddedNamesWhoReadsTheTable() throws SQLException {
        createTables("doc jsonb");
        Map<String, String> settings =
                STORE.connected(Map.of("columns.from.fields", "add"), "?options=-c%20lock_timeout=50ms");
        try (Connection reader = SERVER.connect();
                Target target = new PostgresTargetType().open(settings);
                BatchWriter writer = target.openWriter(0)) {
            reader.setAutoCommit(false);
            reader.createStatement().execute("SELECT count(*) FROM " + table(1));

            assertThatThrownBy(() -> writer.write(rounds(1, ManyTablesIT::number)))
                    .isInstanceOfSatisfying(WriteException.class, e -> {
                        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
                        assertThat(e.destinations()).containsOnlyKeys(table(1));
                        assertThat(e.destinations().get(table(1)))
                                .contains("SQLSTATE 55P03", "process ", "holds AccessShareLock");
                    });
            reader.rollback();
        }
    }

    /** As with {@code transaction_timeout} of PostgreSQL 17, which ends the session too, unlike this. */
    @Test
    void aTableThatTakesTooLongForATransactionHoldsUpNoOther() throws WriteException {
        createTables("doc jsonb");
        STORE.execute("CREATE FUNCTION " + prefix + "late() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN RAISE EXCEPTION 'too long' USING ERRCODE = '25P04'; END $$;"
                + " CREATE TRIGGER late BEFORE INSERT ON " + table(1) + " FOR EACH ROW EXECUTE FUNCTION " + prefix
                + "late()");
        List<Document> documents = rounds(1, ManyTablesIT::number);
        try (Target target = new PostgresTargetType().open(STORE.connected(Map.of()));
                BatchWriter writer = target.openWriter(0)) {
            assertThatThrownBy(() -> writer.write(documents))
                    .as("nobody knows which table it is")
                    .isInstanceOfSatisfying(
                            WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.TOO_MUCH));
            assertThatThrownBy(() -> writer.write(documents)).isInstanceOfSatisfying(WriteException.class, e -> {
                assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
                assertThat(e.destinations()).containsOnlyKeys(table(1));
                assertThat(e.unwritten()).isEqualTo(documents.subList(1, TABLES));
            });
            assertThat(writer.write(documents.subList(2, TABLES))).isEmpty();
        }
    }

    @Test
    void aTableThatWasAlteredIsLookedUpAgainAndNoOther() throws WriteException {
        createTables("doc jsonb, n int");
        try (Target target = new PostgresTargetType().open(STORE.connected(Map.of("extract.columns", "n:$.n")));
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(rounds(1, ManyTablesIT::number))).isEmpty();
            STORE.execute("ALTER TABLE " + table(2) + " ALTER n TYPE bigint");
            List<Document> large = rounds(1, n -> n == 2 ? "{\"n\": 2147483648}" : number(n));

            assertThatThrownBy(() -> writer.write(large))
                    .isInstanceOfSatisfying(WriteException.class, e -> {
                        assertThat(e.failure()).isEqualTo(Failure.BUSY);
                        assertThat(e.unwritten()).isEqualTo(large.subList(2, TABLES));
                    })
                    .hasMessageContaining("the table has been altered");
            assertThat(writer.write(large.subList(2, TABLES))).isEmpty();
        }

        assertThat(lookUps(table(2))).isGreaterThan(1);
        assertThat(lookUps(table(1))).isEqualTo(1);
        assertThat(lookUps(table(3))).isEqualTo(1);
        assertThat(fromAll("n")).hasSize(2 * TABLES).contains("2147483648");
    }

    /** More tables than one round trip takes. */
    @Test
    void hundredsOfTablesAreWrittenInTheOrderOfTheirRecords() throws WriteException {
        Map<String, String> settings = new HashMap<>(STORE.connected(Map.of("auto.create", "true")));
        List<Document> documents = IntStream.range(0, 250)
                .mapToObj(n -> Documents.append(n, '"' + table(n) + '"', number(n)))
                .toList();

        write(settings, documents);

        assertThat(STORE.column(IntStream.range(0, 250)
                        .mapToObj(n -> "SELECT doc->>'n' FROM " + table(n))
                        .collect(Collectors.joining(" UNION ALL "))))
                .containsExactlyElementsOf(
                        IntStream.range(0, 250).mapToObj(Integer::toString).toList());
        assertThat(STORE.column("SELECT count(DISTINCT xmin::text) FROM ("
                        + IntStream.range(0, 250)
                                .mapToObj(n -> "SELECT xmin FROM " + table(n))
                                .collect(Collectors.joining(" UNION ALL "))
                        + ") AS all_rows"))
                .containsExactly("3");
    }
}
