package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.spi.ServerCheck;
import io.tidegate.connect.jsonb.client.ProvidedPasswords;
import io.tidegate.connect.jsonb.client.SessionOptions;
import io.tidegate.connect.jsonb.settings.CommitDurability;
import io.tidegate.connect.jsonb.settings.ServerLogin;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Servers that speak PostgreSQL's protocol and are not quite PostgreSQL. Each statement that the sink sends, each function in
 * it and each setting of a session is refused, one at a time. The sink then writes everything in a plainer way, or fails
 * with one message at validation or once it has started; it never waits for ever, loses a row or writes one twice. What is
 * refused is what the sink sent when nothing was refused, so a new kind of statement is covered by itself.
 */
final class AlmostPostgresIT {
    /** The sink takes the first two for the same. */
    private static final List<String> STATES = List.of("42883", "42601", "0A000", "XX000");

    private static final Duration SOON = Duration.ofSeconds(20);

    /** A word before a bracket. */
    private static final Pattern CALL = Pattern.compile("\\b([a-z_0-9]+)\\(");

    /** Words of SQL before a bracket, and the aliases of rows. */
    private static final Set<String> NO_CALLS = Set.of(
            "in",
            "exists",
            "values",
            "as",
            "array",
            "from",
            "and",
            "or",
            "not",
            "any",
            "when",
            "then",
            "over",
            "using",
            "select",
            "where",
            "r",
            "s",
            "c",
            "m",
            "k",
            "u",
            "base",
            "set",
            "key",
            "conflict",
            "t",
            "distinct",
            "if");

    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();
    private static final PostgresStore STORE = new PostgresStore(SERVER);
    private static final AtomicInteger RUNS = new AtomicInteger();
    private static final Set<String> TRIED = new TreeSet<>();
    private static RefusingProxy proxy;
    private static int ofValidation; // statements of the last run that its validation sent

    /**
     * What a connector does.
     *
     * @param table its columns; empty if the connector creates it
     * @param expected the rows in the end, as {@link #rows} shows them
     * @param mayFail what the connector cannot do without
     */
    private record Scenario(String name, String settings, String table, List<String> expected, Pattern mayFail) {}

    /** One thing that the server does not have. */
    private record Lack(String name, Predicate<String> isOf) {}

    @BeforeAll
    static void start() {
        SERVER.start();
        proxy = new RefusingProxy(SERVER.port());
    }

    @AfterAll
    static void close() throws Exception {
        proxy.close();
        SERVER.close();
    }

    private static final String NEVER = "(?!)";
    private static final List<String> ALL = Stream.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
            .map(n -> n + " v" + n)
            .toList();
    private static final List<String> LAST = List.of("0 w0", "1 w1", "2 w2", "3 w3", "4 w4", "5 w5");
    private static final String BY_KEY = " pk.mode=record_key pk.fields=id delete.enabled=true";

    private static Stream<Scenario> scenarios() {
        return Stream.of(
                scenario(
                        "copy",
                        "insert.method=copy metadata.columns=offset:o,timestamp:at",
                        "doc jsonb, o bigint, at timestamptz",
                        ALL,
                        NEVER),
                scenario(
                        "arrays",
                        "extract.columns=v:$.v::text metadata.columns=key:k,headers:h",
                        "doc jsonb, v text, k text, h jsonb",
                        ALL,
                        NEVER),
                scenario(
                        "values",
                        "insert.method=values pk.mode=record_key pk.fields=id",
                        "doc jsonb, id bigint",
                        ALL,
                        "VALUES"),
                scenario(
                        "ignore",
                        "insert.mode=ignore pk.mode=kafka pk.fields=t,p,o",
                        "doc jsonb, t text, p int, o bigint, UNIQUE (t, p, o)",
                        ALL,
                        "ON CONFLICT"),
                scenario(
                        "upsert",
                        "insert.mode=upsert" + BY_KEY,
                        "doc jsonb, id bigint PRIMARY KEY",
                        LAST,
                        "ON CONFLICT"),
                scenario(
                        "merge",
                        "insert.mode=merge skip.unchanged=true" + BY_KEY,
                        "doc jsonb, id text PRIMARY KEY",
                        LAST,
                        "ON CONFLICT|jsonb_typeof"),
                scenario("created", "auto.create=true", "", ALL, "CREATE TABLE"),
                scenario(
                        "durable",
                        "commit.durability=local",
                        "doc jsonb",
                        ALL,
                        "synchronous_commit|current_setting|pg_backend_pid"),
                scenario(
                        "exactly once",
                        "delivery.guarantee=exactly_once auto.create=true insert.method=copy",
                        "",
                        ALL,
                        "CREATE TABLE|tidegate_offsets|unnest|count|txid_current|BEGIN|COMMIT|SAVEPOINT"),
                scenario(
                        "exactly once upsert",
                        "delivery.guarantee=exactly_once auto.create=true insert.mode=upsert" + BY_KEY,
                        "",
                        LAST,
                        "CREATE TABLE|tidegate_offsets|unnest|count|txid_current|ON CONFLICT"));
    }

    private static Scenario scenario(
            String name, String settings, String table, List<String> expected, String mayFail) {
        return new Scenario(name, settings, table, expected, Pattern.compile(mayFail));
    }

    @TestFactory
    Stream<DynamicNode> whatTheServerLacksCostsOnlyWhatNeedsIt() {
        return scenarios().map(scenario -> dynamicContainer(scenario.name(), lacking(scenario)));
    }

    /** As while {@code REINDEX CONCURRENTLY} exchanges an index, which a test cannot time. */
    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once"})
    void anUpsertThatMeetsADuplicateIsSentOnceMore(String guarantee) {
        AtomicInteger left = new AtomicInteger(2); // the plain statement, and the one that resolves conflicts
        Predicate<String> isOfRows = Pattern.compile("INSERT INTO \"t[0-9]").asPredicate();
        proxy.refuse(sent -> isOfRows.test(sent) && left.getAndDecrement() > 0, "23505");

        Optional<String> failure = run(scenario(
                "upsert",
                "insert.mode=upsert auto.create=true delivery.guarantee=" + guarantee + BY_KEY,
                "",
                LAST,
                NEVER));

        assertThat(failure).isEmpty();
        assertThat(left.get()).isNotPositive();
    }

    /** The standard's views have the defaults, and each field that has no column is looked for. */
    @ParameterizedTest
    @ValueSource(strings = {"rest", "ignore"})
    void fieldsHaveColumnsWithoutACatalogue(String unknown) {
        String name = "plain_" + unknown;
        STORE.execute("CREATE TABLE " + name + " (n int, made text NOT NULL DEFAULT 'x', twice int GENERATED ALWAYS AS"
                + " (n * 2) STORED, doc jsonb)");
        proxy.refuse(sent -> sent.contains("pg_catalog") || sent.startsWith("COPY"), "42883");
        Map<String, String> props = propsOf(name, "columns.from.fields=add unknown.fields=" + unknown);

        deliver(props, false);

        assertThat(proxy.statements()).anyMatch(sent -> sent.contains("information_schema"));
        assertThat(STORE.column("SELECT concat_ws(' ', n, v, made, twice, doc) FROM " + name + " ORDER BY n LIMIT 2"))
                .containsExactly("0 v0 x 0", "1 v1 x 2");
        assertThat(STORE.column("SELECT count(*) FROM " + name + " WHERE v IS NOT NULL"))
                .containsExactly("12");
    }

    /** The plainest statement has to name a column. */
    @Test
    void aRowOfDefaultsIsWrittenWithoutACatalogue() {
        STORE.execute("CREATE TABLE plain_defaults (made text NOT NULL DEFAULT 'x')");
        proxy.refuse(sent -> sent.contains("pg_catalog") || sent.startsWith("COPY"), "42883");

        deliver(propsOf("plain_defaults", "columns.from.fields=known unknown.fields=ignore"), false);

        assertThat(STORE.column("SELECT made || count(*) FROM plain_defaults GROUP BY made"))
                .containsExactly("x12");
    }

    /** It would move offsets without their rows. */
    @Test
    void aServerThatCommitsEachStatementIsRefusedForExactlyOnce() {
        proxy.refuse(sent -> false, "");
        proxy.commitEach(true);
        try {
            assertThat(run(scenario("once", "delivery.guarantee=exactly_once auto.create=true", "", ALL, NEVER)))
                    .hasValueSatisfying(failure -> assertThat(failure)
                            .contains("the server commits each of several statements", "at_least_once"));
            assertThat(run(scenario("at least once", "auto.create=true", "", ALL, NEVER)))
                    .isEmpty();
        } finally {
            proxy.commitEach(false);
        }
    }

    /** A session in the zone of the worker would read other times. */
    @Test
    void aSessionThatCannotBePutInUtcNowIsClosed() throws SQLException {
        TimeZone ofWorker = TimeZone.getDefault();
        ServerLogin login = new ServerLogin(
                url(),
                SERVER.user(),
                new Password(SERVER.password()),
                CredentialsSettings.ABSENT,
                CommitDurability.SERVER);
        PGSimpleDataSource source = new PGSimpleDataSource();
        login.apply(source);
        source.setSocketFactory(NotedSockets.class.getName());
        SessionOptions options = new SessionOptions(source, login, ProvidedPasswords.of(login));
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        try {
            NotedSockets.ALL.clear();
            proxy.refuse(sent -> sent.startsWith("SET TIME ZONE"), "57P03");

            assertThatThrownBy(options::open)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57P03"));
            assertThat(NotedSockets.ALL).hasSize(1).allMatch(Socket::isClosed);

            proxy.refuse(sent -> false, "");
            try (Connection session = options.open()) {
                assertThat(session.unwrap(PGConnection.class).getParameterStatus("TimeZone"))
                        .isEqualTo("UTC");
            }
        } finally {
            TimeZone.setDefault(ofWorker);
        }
    }

    /** The driver makes one by its name. */
    public static final class NotedSockets extends SocketFactory {
        static final List<Socket> ALL = new ArrayList<>();

        @Override
        public Socket createSocket() {
            ALL.add(new Socket());
            return ALL.get(ALL.size() - 1);
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
            throw new UnsupportedOperationException();
        }
    }

    private static String url() {
        return SERVER.jdbcUrl().replace(":" + SERVER.port(), ":" + proxy.port())
                + "?sslmode=disable&gssEncMode=disable";
    }

    /** What an earlier scenario has tried in all ways is tried in one, and not at all if only the validation needs it. */
    private static Stream<DynamicTest> lacking(Scenario scenario) {
        proxy.refuse(what -> false, "");
        assertThat(run(scenario)).as(scenario.name() + " on PostgreSQL").isEmpty();
        List<String> sent = proxy.statements();
        Map<String, Lack> ofTask = lacks(sent.subList(ofValidation, sent.size()));
        Map<String, Lack> all = lacks(sent);
        proxy.startups().stream()
                .filter(setting -> setting.startsWith("option")) // the driver needs the others itself
                .forEach(setting -> all.put(setting, new Lack(setting, setting::equals)));
        List<DynamicTest> tests = new ArrayList<>();
        all.forEach((name, lack) -> {
            boolean isNew = TRIED.add(name);
            List<String> states = isNew && name.startsWith("statement")
                    ? List.of(STATES.get(TRIED.size() % 2), STATES.get(2), STATES.get(3))
                    : isNew || ofTask.containsKey(name) ? List.of(STATES.get(TRIED.size() % STATES.size())) : List.of();
            states.forEach(state -> tests.add(dynamicTest(state + " for " + name, () -> check(scenario, lack, state))));
        });
        return tests.stream();
    }

    /** Each of these statements, and each function in them. */
    private static Map<String, Lack> lacks(List<String> statements) {
        Map<String, Lack> lacks = new LinkedHashMap<>();
        Set<String> functions = new TreeSet<>();
        for (String statement : statements) {
            String form = form(statement);
            lacks.put("statement " + form, new Lack("statement " + form, sent -> form(sent)
                    .equals(form)));
            CALL.matcher(statement).results().map(call -> call.group(1)).forEach(functions::add);
        }
        functions.removeAll(NO_CALLS);
        for (String function : functions) {
            Pattern call = Pattern.compile("\\b" + function + "\\(");
            lacks.put("function " + function, new Lack("function " + function, sent -> call.matcher(sent)
                    .find()));
        }
        return lacks;
    }

    /** The same text for any number of rows, any table of a run and any object's number. */
    private static String form(String statement) {
        return statement
                .replaceAll("[0-9]+", "N")
                .replaceAll("(\\([^()]*\\$N[^()]*\\))(,\\([^()]*\\$N[^()]*\\))+", "$1")
                .replaceAll("\\s+", " ");
    }

    private static void check(Scenario scenario, Lack lack, String state) {
        proxy.refuse(lack.isOf(), state);

        Optional<String> failure = run(scenario);

        if (failure.isPresent()) {
            assertThat(failure.get()).as("one clear message").isNotBlank().contains("this server does not have that");
            assertThat(scenario.mayFail().matcher(lack.name()).find())
                    .as("may fail without it, but said: " + failure.get())
                    .isTrue();
        }
    }

    /** Runs a connector until it has written everything; returns why it failed, if it did. */
    private static Optional<String> run(Scenario scenario) {
        String name = "t" + RUNS.incrementAndGet();
        if (!scenario.table().isEmpty()) {
            STORE.execute("CREATE TABLE " + name + " (" + scenario.table() + ")");
        }
        Map<String, String> props = propsOf(name, scenario.settings());
        PostgresTargetType type = new PostgresTargetType();
        assertThat(type.validate(props)).isEmpty();
        try (ServerCheck check = type.serverCheck(props).orElseThrow()) {
            List<ServerCheck.Finding> findings = check.run();
            ofValidation = proxy.statements().size();
            if (!findings.isEmpty()) {
                assertThat(findings).as("one message").hasSize(1);
                return Optional.of(findings.toString());
            }
        }
        try {
            deliver(props, scenario.expected() == LAST);
        } catch (ConnectException e) {
            List<String> written = exists(name) ? rows(name) : List.of();
            assertThat(written).as("nothing twice").doesNotHaveDuplicates();
            return Optional.of(messages(e));
        }
        assertThat(rows(name)).isEqualTo(scenario.expected());
        return Optional.empty();
    }

    private static Map<String, String> propsOf(String name, String settings) {
        Map<String, String> props = Props.of("retry.backoff.ms=1 retry.backoff.max.ms=2 connection.pool.wait.ms=250"
                + " max.in.flight.requests=1 topics=readings " + settings);
        props.put("name", name);
        props.put("table.name.format", name);
        props.put("connection.url", url());
        props.put("connection.user", SERVER.user());
        props.put("connection.password", SERVER.password());
        return props;
    }

    private static String messages(Throwable e) {
        return Stream.iterate(e, cause -> cause != null, Throwable::getCause)
                .map(Throwable::getMessage)
                .collect(Collectors.joining(": "));
    }

    private static boolean exists(String table) {
        return STORE.column("SELECT count(*) FROM pg_class WHERE relname = '" + table + "'")
                .contains("1");
    }

    private static List<String> rows(String table) {
        return STORE.column("SELECT (doc->>'n') || ' ' || (doc->>'v') FROM " + table + " ORDER BY (doc->>'n')::int");
    }

    private static void deliver(Map<String, String> props, boolean isKeyed) {
        try (StartedTask task = new StartedTask(props)) {
            for (int half = 0; half < 2; half++) {
                List<SinkRecord> records = new ArrayList<>();
                for (int n = half * 6; n < half * 6 + 6; n++) {
                    records.add(record(n, "v"));
                }
                task.put(records);
                awaitWritten(task);
            }
            if (isKeyed) {
                List<SinkRecord> changes = new ArrayList<>();
                for (int n = 0; n < 12; n++) {
                    changes.add(n < 6 ? record(n, "w") : deletion(n));
                }
                task.put(changes);
                awaitWritten(task);
            }
        }
    }

    private static void awaitWritten(StartedTask task) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .atMost(SOON)
                .until(() -> {
                    task.poll();
                    return task.isWritten();
                });
    }

    private static SinkRecord record(int n, String version) {
        SinkRecord record = new SinkRecord(
                "readings",
                0,
                null,
                Integer.toString(n),
                null,
                "{\"n\":" + n + ",\"v\":\"" + version + n + "\"}",
                n,
                1L,
                TimestampType.CREATE_TIME);
        record.headers().addString("h", "x");
        return record;
    }

    private static SinkRecord deletion(int n) {
        return new SinkRecord("readings", 0, null, Integer.toString(n), null, null, n, 1L, TimestampType.CREATE_TIME);
    }
}
