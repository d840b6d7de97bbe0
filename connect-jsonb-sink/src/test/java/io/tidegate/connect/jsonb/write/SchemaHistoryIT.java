package io.tidegate.connect.jsonb.write;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Poll;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Drawn histories of a table with typed columns, which a DBA alters between and during batches, on a real PostgreSQL. The
 * oracle is the server: a copy of the table gets each document by {@code json_populate_record}, once before the change
 * and once after it. Each row must be one of the two, and a document is refused only if the server refuses one of them.
 *
 * <p>{@code -Dtidegate.histories=1000} draws more, {@code -Dtidegate.history.first=N -Dtidegate.histories=1} repeats one.
 */
final class SchemaHistoryIT {
    private static final int HISTORIES = Integer.getInteger("tidegate.histories", 30);
    private static final int FIRST = Integer.getInteger("tidegate.history.first", 1);
    private static final int STEPS = 6;
    private static final int DOCUMENTS = 12; // of a step
    private static final int BATCH = 4;
    private static final int KEYS = 30;
    private static final String REFUSED = "refused";
    private static final List<String> METHODS = List.of("auto", "values", "unnest", "copy");
    private static final Set<String> ADDED_TYPES = Set.of("boolean", "numeric", "text", "jsonb");

    private static final List<String> FIELDS = List.of("a", "b", "c", "d");
    private static final List<String> TYPES = List.of(
            "int",
            "bigint",
            "smallint",
            "numeric",
            "numeric(6,2)",
            "float8",
            "text",
            "varchar(5)",
            "char(3)",
            "boolean",
            "date",
            "timestamptz",
            "uuid",
            "jsonb",
            "json",
            "int[]",
            "history_mood",
            "history_short");
    private static final List<String> VALUES = List.of(
            "1",
            "-7",
            "1.50",
            "1e3",
            "99999999999",
            "123456.789",
            "true",
            "null",
            "\"x\"",
            "\"5\"",
            "\"calm\"",
            "\"2026-11-23\"",
            "\"2026-11-23T10:15:30Z\"",
            "\"longer than five\"",
            "\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\"",
            "\"[1, 2]\"",
            "\"{1,2}\"",
            "[1, 2]",
            "{\"p\": [1.0, null]}");

    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();
    private static final PostgresStore STORE = new PostgresStore(SERVER);

    @BeforeAll
    static void start() {
        SERVER.start();
        STORE.execute("CREATE TYPE history_mood AS ENUM ('calm', 'rough')");
        STORE.execute("CREATE DOMAIN history_short AS varchar(5) CHECK (value <> 'bad')");
        STORE.execute(COPIED);
        STORE.execute(EXPECTED);
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    /** Makes a copy of a table with its rows. */
    private static final String COPIED = """
            CREATE FUNCTION history_copy(source text, copy text) RETURNS void LANGUAGE plpgsql AS $$
            DECLARE names text; checked record;
            BEGIN
              EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING INDEXES)',
                copy, source);
              SELECT string_agg(quote_ident(attname), ', ') INTO names FROM pg_attribute
                WHERE attrelid = source::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
              EXECUTE format('INSERT INTO %I (%s) SELECT %s FROM %I', copy, names, names, source);
              FOR checked IN SELECT conname, pg_get_constraintdef(oid) AS def FROM pg_constraint
                WHERE conrelid = source::regclass AND contype = 'c' LOOP
                EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I %s', copy, checked.conname, checked.def);
              END LOOP;
            END $$""";

    /** Writes a document into a table. Returns the SQLSTATE if the server refuses it. */
    private static final String EXPECTED = """
            CREATE FUNCTION history_write(target text, doc json, mode text, unknown text) RETURNS text
            LANGUAGE plpgsql AS $$
            DECLARE known text[]; present text[]; names text; cells text; changes text; rest text;
            BEGIN
              SELECT array_agg(attname) INTO known FROM pg_attribute
                WHERE attrelid = target::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
                  AND attname <> 'doc';
              SELECT array_agg(key) INTO present FROM json_object_keys(doc) AS key WHERE key = ANY (known);
              IF unknown = 'refuse' AND EXISTS (SELECT FROM json_each(doc) WHERE NOT key = ANY (known)) THEN
                RETURN 'unknown';
              END IF;
              SELECT string_agg(quote_ident(attname), ', '), string_agg('r.' || quote_ident(attname), ', '),
                     string_agg(format('%1$I = EXCLUDED.%1$I', attname), ', ')
                       FILTER (WHERE mode <> 'merge' OR attname = ANY (present))
                INTO names, cells, changes FROM pg_attribute
                WHERE attrelid = target::regclass AND attnum > 0 AND attname = ANY (known)
                  AND (NOT atthasdef OR attname = ANY (present));
              rest := CASE WHEN mode <> 'merge' THEN 'EXCLUDED.doc'
                ELSE format('CASE WHEN o.doc IS NULL THEN EXCLUDED.doc WHEN EXCLUDED.doc IS NULL'
                  || ' THEN NULLIF(o.doc - %1$L::text[], ''{}'') ELSE (o.doc - %1$L::text[]) || EXCLUDED.doc END', present) END;
              EXECUTE format('INSERT INTO %1$I AS o (doc, %2$s) SELECT (SELECT jsonb_object_agg(key, value)'
                || ' FROM json_each($1) WHERE NOT key = ANY ($2) AND %3$L = ''rest''), %4$s'
                || ' FROM json_populate_record(NULL::%1$I, (SELECT json_object_agg(key, value) FROM json_each($1)'
                || ' WHERE key = ANY ($2))) AS r %5$s',
                target, names, unknown, cells, CASE WHEN mode = 'insert' THEN ''
                  ELSE 'ON CONFLICT (id) DO UPDATE SET doc = ' || rest || ', ' || changes END)
                USING doc, known;
              RETURN '';
            EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE;
            END $$""";

    @Test
    void everyRowIsAsTheTableWasBeforeOrAfterAChange() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (int seed = FIRST; seed < FIRST + HISTORIES; seed++) {
            try (History history = new History(seed)) {
                history.run().ifPresent(wrong::add);
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** What a DBA does to the table. */
    private record Change(String sql, Optional<String> newColumns) {
        static Change alter(String sql) {
            return new Change(sql, Optional.empty());
        }

        String of(String table, String formerName) {
            return newColumns
                    .map(columns ->
                            "ALTER TABLE " + table + " RENAME TO " + formerName + "; CREATE TABLE " + table + columns)
                    .orElse("ALTER TABLE " + table + " " + sql);
        }

        /** The same for a copy, whose rows are not looked at after it is replaced. */
        String ofCopy(String table) {
            return newColumns
                    .map(columns -> "DROP TABLE " + table + "; CREATE TABLE " + table + columns)
                    .orElse("ALTER TABLE " + table + " " + sql);
        }
    }

    private static final class History implements AutoCloseable {
        private final int seed;
        private final Random random;
        private final String table;
        private final String mode;
        private final String unknown;
        private final boolean isAdding;
        private final Progress assignment = Documents.newAssignment();
        private final Connection oracle;
        private final Connection dba;
        private final ExecutorService meanwhile = Executors.newSingleThreadExecutor();
        private final List<String> story = new ArrayList<>();
        private final Set<Long> refused = new HashSet<>();
        private long offset;

        History(int seed) throws SQLException {
            this.seed = seed;
            random = new Random(seed * 7919L);
            table = "history" + seed;
            mode = pick(List.of("insert", "insert", "insert", "upsert", "merge"));
            unknown = pick(List.of("rest", "rest", "rest", "ignore", "refuse"));
            isAdding = random.nextInt(5) == 0;
            oracle = SERVER.connect();
            dba = SERVER.connect();
            execute(oracle, "SET timezone = 'UTC'");
        }

        Optional<String> run() throws Exception {
            String columns = columns();
            execute(dba, "CREATE TABLE " + table + columns);
            String settings = "name=" + table + " auto.create=true columns.from.fields=" + (isAdding ? "add" : "known")
                    + " unknown.fields=" + unknown + " insert.mode=" + mode
                    + (isKeyed() ? " pk.mode=record_key pk.fields=id" : "")
                    + " insert.method=" + pick(METHODS.subList(0, isKeyed() ? METHODS.size() - 1 : METHODS.size()))
                    + " delivery.guarantee=" + pick(List.of("at_least_once", "exactly_once"));
            story.add(settings + columns);
            try (Target target = new PostgresTargetType().open(STORE.connected(Props.of(settings)));
                    BatchWriter writer = target.openWriter(0)) {
                DeliveredDocuments delivered = DeliveredDocuments.to(target, writer, assignment);
                for (int step = 0; step < STEPS; step++) {
                    Optional<String> wrong = isAdding ? added(step, delivered) : altered(step, delivered);
                    if (wrong.isPresent()) {
                        return Optional.of("history " + seed + " (again: -Dtidegate.history.first=" + seed
                                + " -Dtidegate.histories=1): " + wrong.get() + "\n  " + String.join("\n  ", story));
                    }
                }
                return Optional.empty();
            }
        }

        private boolean isKeyed() {
            return !mode.equals("insert");
        }

        private String columns() {
            return FIELDS.stream()
                    .filter(field -> random.nextBoolean())
                    .map(field -> field + " " + pick(TYPES) + ", ")
                    .collect(joining("", " (id bigint UNIQUE, ", "doc jsonb)"));
        }

        /** The table changes at some moment while batches are written. */
        private Optional<String> altered(int step, DeliveredDocuments delivered) throws Exception {
            List<Draft> drafts = drafts();
            Change change = change();
            String before = table + "_before" + step;
            String former = table + "_former" + step;
            execute(oracle, "SELECT history_copy('" + table + "', '" + before + "')");
            Duration pause = Duration.ofMillis(random.nextInt(6));
            Future<String> changed = meanwhile.submit(() -> {
                Poll.pause(pause);
                return attempt(dba, change.of(table, former));
            });
            for (int i = 0; i < drafts.size(); i += BATCH) {
                deliver(delivered, drafts.subList(i, i + BATCH));
            }
            String state = changed.get();
            tell(change, state);
            Map<Long, Set<String>> expected =
                    beforeAndAfter(drafts, change, state.isEmpty(), before, table + "_after" + step);
            Map<Long, String> stored = rows(table);
            if (state.isEmpty() && change.newColumns().isPresent()) {
                rows(former).forEach(stored::putIfAbsent);
            }
            return compare(drafts, stored, expected);
        }

        /** The table changes between batches, which add columns. */
        private Optional<String> added(int step, DeliveredDocuments delivered) throws Exception {
            Change change = change();
            String copy = table + "_copy" + step;
            execute(oracle, "SELECT history_copy('" + table + "', '" + copy + "')");
            String state = attempt(dba, change.of(table, table + "_former" + step));
            tell(change, state);
            if (state.isEmpty()) {
                execute(oracle, change.ofCopy(copy));
            }
            List<Draft> drafts = drafts();
            Map<Long, Set<String>> expected = new HashMap<>();
            for (int i = 0; i < drafts.size(); i += BATCH) {
                List<Draft> batch = drafts.subList(i, i + BATCH);
                deliver(delivered, batch);
                Map<String, String> columns = types(table);
                Map<String, String> known = types(copy);
                for (Map.Entry<String, String> column : columns.entrySet()) {
                    if (known.get(column.getKey()) == null) {
                        if (!ADDED_TYPES.contains(column.getValue())) {
                            return Optional.of("the sink added " + column);
                        }
                        execute(oracle, "ALTER TABLE " + copy + " ADD " + column.getKey() + " " + column.getValue());
                    }
                }
                for (Draft draft : batch) {
                    for (String field : draft.fields()) {
                        if (!refused.contains(draft.offset()) && !columns.containsKey(field)) {
                            return Optional.of("no column was added for " + field + " of " + draft.json());
                        }
                    }
                }
                write(batch, copy, expected);
            }
            addRows(copy, expected);
            return compare(drafts, rows(table), expected);
        }

        private void deliver(DeliveredDocuments delivered, List<Draft> drafts) throws InterruptedException {
            refused.addAll(delivered
                    .deliver(drafts.stream().map(draft -> document(draft)).toList())
                    .keySet());
        }

        private Optional<String> compare(
                List<Draft> drafts, Map<Long, String> stored, Map<Long, Set<String>> expected) {
            for (Draft draft : drafts) {
                String found = refused.contains(draft.offset()) ? REFUSED : stored.getOrDefault(draft.id(), "missing");
                if (!expected.get(draft.id()).contains(found)) {
                    return Optional.of("of %s became %s, but expected is one of %s"
                            .formatted(draft.json(), found, expected.get(draft.id())));
                }
            }
            return Optional.empty();
        }

        /** With different keys, of which some are of rows if they are replaced. */
        private List<Draft> drafts() {
            List<Long> keys = new ArrayList<>(
                    IntStream.range(0, KEYS).mapToObj(Long::valueOf).toList());
            Collections.shuffle(keys, random);
            List<Draft> drafts = new ArrayList<>();
            for (int i = 0; i < DOCUMENTS; i++) {
                long id = isKeyed() ? keys.get(i) : offset;
                Map<String, String> fields = new TreeMap<>();
                for (String field : FIELDS) {
                    if (random.nextInt(4) > 0) {
                        fields.put(field, pick(VALUES));
                    }
                }
                String json = fields.entrySet().stream()
                        .map(field -> ", \"" + field.getKey() + "\": " + field.getValue())
                        .collect(joining("", "{\"id\": " + id, "}"));
                fields.values().removeIf(value -> value.equals("null"));
                drafts.add(new Draft(offset++, id, json, fields.keySet()));
            }
            return drafts;
        }

        private Document document(Draft draft) {
            String target = '"' + table + '"';
            return isKeyed()
                    ? Documents.write(
                            assignment,
                            draft.offset(),
                            target,
                            Long.toString(draft.id()),
                            draft.json().replaceFirst("\"id\": [0-9]+(, )?", ""))
                    : Documents.append(assignment, draft.offset(), target, draft.json());
        }

        private Change change() {
            String field = pick(FIELDS);
            String type = pick(TYPES);
            return switch (random.nextInt(12)) {
                case 0, 1 -> Change.alter("ADD " + field + " " + type);
                case 2 -> Change.alter("ADD " + field + " int NOT NULL DEFAULT 7");
                case 3 -> Change.alter("DROP " + field);
                case 4 -> Change.alter("RENAME " + field + " TO " + pick(FIELDS));
                case 5 ->
                    Change.alter("ALTER " + field + " DROP DEFAULT, ALTER " + field + " TYPE " + type + " USING NULL");
                case 6 -> Change.alter("ALTER " + field + " TYPE text");
                case 7 -> Change.alter("ALTER " + field + " SET NOT NULL");
                case 8 -> Change.alter("ALTER " + field + " SET DEFAULT NULL, ALTER " + field + " DROP NOT NULL");
                case 9 -> Change.alter("ADD " + field + " bigint GENERATED ALWAYS AS (id * 2) STORED");
                case 10 -> new Change("", Optional.of(columns()));
                default -> Change.alter("ADD CHECK (length(" + field + "::text) < 4) NOT VALID");
            };
        }

        /** By id, the rows that each document may give, or its refusal. */
        private Map<Long, Set<String>> beforeAndAfter(
                List<Draft> drafts, Change change, boolean isMade, String before, String after) throws SQLException {
            execute(oracle, "SELECT history_copy('" + before + "', '" + after + "')");
            Map<Long, Set<String>> expected = new HashMap<>();
            if (isMade) {
                execute(oracle, change.ofCopy(after));
            }
            write(drafts, after, expected);
            addRows(after, expected);
            write(drafts, before, expected);
            if (isMade
                    && change.newColumns().isEmpty()
                    && !attempt(oracle, change.ofCopy(before)).isEmpty()) {
                // These rows cannot have been there before the change.
                execute(
                        oracle,
                        "DELETE FROM " + before + " WHERE " + change.sql().split(" ", -1)[1] + " IS NULL");
                if (!attempt(oracle, change.ofCopy(before)).isEmpty()) {
                    execute(oracle, "DELETE FROM " + before); // nor any other
                }
            }
            addRows(before, expected);
            return expected;
        }

        private void write(List<Draft> drafts, String target, Map<Long, Set<String>> expected) throws SQLException {
            try (PreparedStatement write = oracle.prepareStatement("SELECT history_write(?, ?::json, ?, ?)")) {
                for (Draft draft : drafts) {
                    write.setString(1, target);
                    write.setString(2, draft.json());
                    write.setString(3, mode);
                    write.setString(4, unknown);
                    try (ResultSet answer = write.executeQuery()) {
                        answer.next();
                        Set<String> results = expected.computeIfAbsent(draft.id(), id -> new HashSet<>());
                        if (!answer.getString(1).isEmpty()) {
                            results.add(REFUSED);
                        }
                    }
                }
            }
        }

        private void addRows(String of, Map<Long, Set<String>> expected) throws SQLException {
            rows(of).forEach((id, row) -> {
                if (expected.containsKey(id)) {
                    expected.get(id).add(row);
                }
            });
        }

        private Map<Long, String> rows(String of) throws SQLException {
            return pairs("SELECT id, to_jsonb(t)::text FROM " + of + " AS t").entrySet().stream()
                    .collect(toMap(row -> Long.valueOf(row.getKey()), Map.Entry::getValue));
        }

        private Map<String, String> types(String of) throws SQLException {
            return pairs("SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = '" + of
                    + "'::regclass AND attnum > 0 AND NOT attisdropped");
        }

        private Map<String, String> pairs(String query) throws SQLException {
            try (Statement statement = oracle.createStatement();
                    ResultSet rows = statement.executeQuery(query)) {
                Map<String, String> found = new HashMap<>();
                while (rows.next()) {
                    assertThat(found.put(rows.getString(1), rows.getString(2)))
                            .as("a second row of " + rows.getString(1))
                            .isNull();
                }
                return found;
            }
        }

        private <T> T pick(List<T> all) {
            return all.get(random.nextInt(all.size()));
        }

        private void tell(Change change, String state) {
            story.add((state.isEmpty() ? "" : "refused (" + state + "): ") + change.of(table, "former"));
        }

        private static void execute(Connection connection, String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        /** Returns the SQLSTATE if the server refuses it. */
        private static String attempt(Connection connection, String sql) {
            try {
                execute(connection, sql);
                return "";
            } catch (SQLException e) {
                return e.getSQLState();
            }
        }

        @Override
        public void close() throws SQLException {
            meanwhile.shutdown();
            String tables = pairs("SELECT relname, '' FROM pg_class WHERE relkind = 'r' AND (relname = '" + table
                            + "' OR relname LIKE '" + table + "\\_%')")
                    .keySet()
                    .stream()
                    .collect(joining(", "));
            execute(oracle, "DROP TABLE " + tables);
            oracle.close();
            dba.close();
        }
    }

    /**
     * A record that is to be delivered.
     *
     * @param fields those that are not null
     */
    private record Draft(long offset, long id, String json, Set<String> fields) {}
}
