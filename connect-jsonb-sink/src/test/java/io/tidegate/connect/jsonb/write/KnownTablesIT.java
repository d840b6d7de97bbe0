package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.sql.Dialect;
import io.tidegate.connect.jsonb.sql.InsertStrategy;
import io.tidegate.connect.jsonb.sql.RowSql;
import io.tidegate.connect.jsonb.sql.TableCreation;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tables that a lane remembers, on a real PostgreSQL. */
final class KnownTablesIT {
    private static final int MOST = 16;
    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();
    private static final PostgresStore STORE = new PostgresStore(SERVER);

    @BeforeAll
    static void start() {
        SERVER.start();
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    /** As tasks do that get partitions of one new topic. */
    @Test
    void severalTasksCreateOneTableAtTheSameMoment() throws Exception {
        int tasks = 4;
        AbstractConfig config = config(" auto.create=true");
        TableCreation creation = new TableCreation(RowSettings.from(config), InsertSettings.from(config));
        CyclicBarrier moment = new CyclicBarrier(tasks);
        ExecutorService threads = Executors.newFixedThreadPool(tasks);
        try {
            List<Future<Void>> created = new ArrayList<>();
            for (int task = 0; task < tasks; task++) {
                created.add(threads.submit(() -> {
                    try (Connection connection = SERVER.connect()) {
                        for (int table = 0; table < 100; table++) {
                            moment.await(60, TimeUnit.SECONDS);
                            creation.create(connection, List.of("once" + table));
                        }
                    }
                    return null;
                }));
            }
            for (Future<Void> each : created) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(STORE.column("SELECT count(*) FROM pg_class WHERE relname LIKE 'once%'"))
                .containsExactly("100");
    }

    @Test
    void aTypeWithTheNameOfATableIsInTheWay() throws Exception {
        AbstractConfig config = config(" auto.create=true");
        TableCreation creation = new TableCreation(RowSettings.from(config), InsertSettings.from(config));
        STORE.execute("CREATE TYPE mood AS ENUM ('glad')");
        try (Connection connection = SERVER.connect()) {
            assertThatThrownBy(() -> creation.create(connection, List.of("mood")))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("type \"mood\" already exists");
        }
    }

    private static AbstractConfig config(String settings) {
        return new AbstractConfig(
                new PostgresTargetType().config(),
                Props.of("connection.url=" + SERVER.jdbcUrl() + " connection.user=" + SERVER.user() + settings),
                false);
    }

    @Test
    void theOneThatWasNotUsedForTheLongestIsForgottenFirst() throws Exception {
        KnownTables tables = tables(config(""), System::nanoTime);
        STORE.execute("CREATE TABLE first (doc jsonb)");
        STORE.execute("CREATE TABLE second (doc jsonb)");
        try (Connection connection = SERVER.connect()) {
            assertThat(typeOf(tables, connection, "first")).isEqualTo("jsonb");
            assertThat(typeOf(tables, connection, "second")).isEqualTo("jsonb");
            STORE.execute("ALTER TABLE first ALTER doc TYPE text");
            STORE.execute("ALTER TABLE second ALTER doc TYPE text");
            for (int i = 1; i < MOST; i++) {
                String unused = typeOf(tables, connection, "none" + i);
                assertThat(typeOf(tables, connection, "first")).isEqualTo("jsonb");
            }

            assertThat(typeOf(tables, connection, "second")).isEqualTo("text");
        }
    }

    /** Each look-up alone would be a transaction: many thousands after a rebalance. */
    @Test
    void theTablesOfABatchAreLookedUpAndCreatedTogether() throws Exception {
        int count = 250;
        KnownTables tables = tables(config(" auto.create=true"), System::nanoTime);
        STORE.execute("CREATE SCHEMA many; CREATE TABLE many.\"t0\" (doc text)");
        List<RowGroup> rows = IntStream.range(0, count)
                .mapToObj(i -> rowOf("\"many\".\"t" + i + "\""))
                .toList();
        AtomicInteger statements = new AtomicInteger();
        try (Connection connection = counting(SERVER.connect(), statements)) {
            tables.prepare(connection, rows);
            assertThat(statements)
                    .as("for 16 tables: a look-up, the question for LZ4, and another look-up")
                    .hasValue(count - 1 + 3 * 16);
            for (RowGroup each : rows) {
                assertThat(tables.lookUp(connection, each).shape().typeOf("doc"))
                        .isEqualTo(each.table().contains("\"t0\"") ? "text" : "jsonb");
            }
            tables.forgetAll();
            statements.set(0);
            tables.prepare(connection, rows);

            assertThat(statements).hasValue(16);
            statements.set(0);
            tables.prepare(connection, rows);
            assertThat(statements)
                    .as("more than are kept: the batch's first ones are looked up again")
                    .hasValue(15);
        }
    }

    private static Connection counting(Connection connection, AtomicInteger statements) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    if (method.getName().endsWith("Statement")) {
                        statements.incrementAndGet();
                    }
                    try {
                        return method.invoke(connection, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A schema that we may not use fails the question for all tables. */
    @Test
    void aTableOutOfReachDoesNotHideOthers() throws Exception {
        KnownTables tables = tables(config(""), System::nanoTime);
        STORE.execute(
                "CREATE TABLE reached (doc jsonb); CREATE SCHEMA closed_off; CREATE TABLE closed_off.t (doc jsonb);"
                        + " CREATE ROLE outsider; GRANT SELECT ON reached TO outsider");
        RowGroup outOfReach = rowOf("closed_off.t");
        try (Connection connection = SERVER.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET ROLE outsider");

            assertThatThrownBy(() -> tables.prepare(connection, List.of(rowOf("reached"), outOfReach)))
                    .isInstanceOfSatisfying(RowGroupException.class, e -> {
                        assertThat(e.group()).isSameAs(outOfReach);
                        assertThat(e.error().getMessage()).contains("permission denied for schema closed_off");
                    });
            assertThat(tables.lookUp(connection, rowOf("reached")).shape().typeOf("doc"))
                    .isEqualTo("jsonb");
        }
    }

    private static KnownTables tables(AbstractConfig config, LongSupplier nanoTime) {
        return tables(config, nanoTime, new Dialect("PostgreSQL"));
    }

    private static KnownTables tables(AbstractConfig config, LongSupplier nanoTime, Dialect dialect) {
        boolean addsColumns = config.getString("columns.from.fields").equals("add");
        RowSettings row = RowSettings.from(config);
        InsertSettings insert = InsertSettings.from(config);
        WriterSettings settings = new WriterSettings(
                row,
                insert,
                config.getBoolean("auto.create") ? Optional.of(new TableCreation(row, insert)) : Optional.empty(),
                addsColumns,
                document -> false,
                ErrorOverrides.NONE,
                dialect);
        RowSql sql = new RowSql(row, insert);
        return new KnownTables(settings, sql, new InsertStrategy(insert.method(), sql, dialect), MOST, nanoTime);
    }

    /** No statement checks it: a document without the field would get NULL for as long as the task runs. */
    @Test
    void aDefaultThatAColumnGotLaterIsKnownSoon() throws Exception {
        AtomicLong now = new AtomicLong(-1);
        KnownTables tables = tables(config(" columns.from.fields=known"), now::get);
        STORE.execute("CREATE TABLE filled (doc jsonb, state text)");
        RowGroup rows = new RowGroup("filled", false, List.of(Documents.append(0, "filled", "{}")));
        try (Connection connection = SERVER.connect()) {
            assertThat(hasDefault(tables, connection, rows)).isFalse();
            STORE.execute("ALTER TABLE filled ALTER state SET DEFAULT 'new'");
            now.addAndGet(KnownTables.BELIEVED.toNanos());
            assertThat(hasDefault(tables, connection, rows))
                    .as("no look-up for each batch")
                    .isFalse();
            now.incrementAndGet();

            assertThat(hasDefault(tables, connection, rows)).isTrue();
        }
    }

    /** An event trigger may refuse columns for some hours. */
    @Test
    void aTableThatTookNoColumnsGetsThemLater() throws Exception {
        AtomicLong now = new AtomicLong(-1);
        KnownTables tables = tables(config(" columns.from.fields=add unknown.fields=ignore"), now::get);
        STORE.execute("CREATE TABLE closed (doc jsonb)");
        STORE.execute("CREATE FUNCTION closed() RETURNS event_trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN RAISE EXCEPTION 'not in working hours'; END $$");
        STORE.execute("CREATE EVENT TRIGGER closed ON ddl_command_start WHEN TAG IN ('ALTER TABLE')"
                + " EXECUTE FUNCTION closed()");
        RowGroup rows = new RowGroup("closed", false, List.of(Documents.append(0, "closed", "{\"state\": \"new\"}")));
        try (Connection connection = SERVER.connect()) {
            prepare(tables, connection, rows);
            STORE.execute("DROP EVENT TRIGGER closed");
            now.addAndGet(KnownTables.FULL.toNanos() - 1);
            prepare(tables, connection, rows);
            assertThat(tables.lookUp(connection, rows).shape().columns()).doesNotContainKey("state");
            now.incrementAndGet();
            prepare(tables, connection, rows);

            assertThat(tables.lookUp(connection, rows).shape().columns()).containsKey("state");
        }
    }

    /** Nothing says which of the tables the server would write to. */
    @Test
    void aColumnThatAPlainServerDoesNotShowIsAddedOnlyOnce() throws Exception {
        AtomicLong now = new AtomicLong(-1);
        KnownTables tables = tables(config(" columns.from.fields=add unknown.fields=ignore"), now::get);
        STORE.execute("CREATE SCHEMA other; CREATE TABLE other.several (doc jsonb, state int);"
                + " CREATE TABLE several (doc jsonb, state text); CREATE TABLE alterations (tag text);"
                + " CREATE FUNCTION altered() RETURNS event_trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN INSERT INTO alterations VALUES (tg_tag); END $$;"
                + " CREATE EVENT TRIGGER altered ON ddl_command_start WHEN TAG IN ('ALTER TABLE')"
                + " EXECUTE FUNCTION altered()");
        RowGroup rows = new RowGroup("several", false, List.of(Documents.append(0, "several", "{\"state\": \"new\"}")));
        RowGroup none = new RowGroup("nowhere", false, List.of(Documents.append(0, "nowhere", "{\"state\": \"new\"}")));
        Dialect dialect = new Dialect("Almost PostgreSQL");
        dialect.lacksCatalogue("in a test");
        try (Connection connection = SERVER.connect()) {
            KnownTables plain = tables(config(" columns.from.fields=add unknown.fields=ignore"), now::get, dialect);
            for (int batch = 0; batch < 3; batch++) {
                prepare(plain, connection, rows);
                prepare(plain, connection, none);
                prepare(tables, connection, none);
            }
            assertThat(STORE.column("SELECT count(*) FROM alterations")).containsExactly("1");
            now.addAndGet(KnownTables.FULL.toNanos());
            prepare(plain, connection, rows);

            assertThat(STORE.column("SELECT count(*) FROM alterations")).containsExactly("2");
        } finally {
            STORE.execute("DROP EVENT TRIGGER altered");
        }
    }

    private static boolean hasDefault(KnownTables tables, Connection connection, RowGroup rows) throws Exception {
        prepare(tables, connection, rows);
        return tables.lookUp(connection, rows).shape().fillingOf("state").hasDefault();
    }

    private static String typeOf(KnownTables tables, Connection connection, String table) throws Exception {
        RowGroup rows = rowOf(table);
        tables.prepare(connection, List.of(rows));
        return tables.lookUp(connection, rows).shape().typeOf("doc");
    }

    private static RowGroup rowOf(String table) {
        return new RowGroup(table, false, List.of(Documents.append(0, table, "1")));
    }

    /** As before each batch. */
    private static void prepare(KnownTables tables, Connection connection, RowGroup rows) throws Exception {
        tables.prepare(connection, List.of(rows));
        tables.addColumns(connection, rows);
    }
}
