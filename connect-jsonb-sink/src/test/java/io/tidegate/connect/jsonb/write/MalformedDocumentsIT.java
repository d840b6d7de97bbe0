package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.settings.InsertMethod;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a real PostgreSQL makes of values that are not quite JSON, whichever way they are sent: the table in the guide. */
final class MalformedDocumentsIT {
    /** Enough for a COPY. */
    private static final int GOOD_ROWS = 1_000;

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

    /**
     * A value and how it ends.
     *
     * @param bytes the value, a character for each byte
     * @param policy of {@code behavior.on.unstorable.characters}
     * @param outcome a SQLSTATE, or what is stored
     */
    private record Case(String name, String bytes, String policy, String outcome) {
        static Case of(String name, String text, String policy, String outcome) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            return new Case(name, new String(utf8, StandardCharsets.ISO_8859_1), policy, outcome);
        }

        byte[] value() {
            return bytes.getBytes(StandardCharsets.ISO_8859_1);
        }

        boolean isStored() {
            return !outcome.matches("22...|54...");
        }
    }

    private static List<Case> cases() {
        String nul = "\"a\0\"";
        String notUtf8 = "\"a\u00ff\"";
        String surrogate = "\"\u00ed\u00a0\u0080\"";
        String deep = "[".repeat(200_000) + "]".repeat(200_000);
        return List.of(
                Case.of("\\u0000", "\"a\\u0000\"", "fail", "22P05"),
                Case.of("\\u0000", "\"a\\u0000\"", "replace", "\"a\ufffd\""),
                Case.of("\\u0000", "\"a\\u0000\"", "strip", "\"a\""),
                Case.of("\\u0000 in a name", "{\"a\\u0000\": 1}", "strip", "{\"a\": 1}"),
                Case.of("a backslash and u0000", "\"\\\\u0000\"", "strip", "\"\\\\u0000\""),
                new Case("a NUL byte", nul, "fail", "22021"),
                new Case("a NUL byte", nul, "replace", "\"a\ufffd\""),
                new Case("a NUL byte", nul, "strip", "\"a\""),
                new Case("a NUL byte behind the value", "1\0", "strip", "1"),
                new Case("a byte that is not UTF-8", notUtf8, "fail", "22021"),
                new Case("a byte that is not UTF-8", notUtf8, "replace", "\"a\ufffd\""),
                new Case("a byte that is not UTF-8", notUtf8, "strip", "\"a\""),
                new Case("a surrogate in UTF-8", surrogate, "fail", "22021"),
                new Case("a surrogate in UTF-8", surrogate, "strip", "\"\""),
                Case.of("half a pair", "\"a\\ud83c\"", "fail", "22P02"),
                Case.of("half a pair", "\"a\\ud83c\"", "replace", "\"a\ufffd\""),
                Case.of("half a pair", "\"\\udf0ab\"", "strip", "\"b\""),
                Case.of("a pair", "\"\\ud83c\\udf0a\"", "fail", "\"🌊\""),
                Case.of("deep", deep, "replace", "54001"),
                Case.of("a large number", "1e400", "fail", "1" + "0".repeat(400)),
                Case.of("a number out of range", "1e999999", "replace", "22003"),
                Case.of(
                        "a long fraction",
                        "1.23456789012345678901234567890",
                        "fail",
                        "1.23456789012345678901234567890"),
                Case.of("minus zero", "-0", "fail", "0"),
                Case.of("blank", "  ", "replace", "22P02"),
                Case.of("text", "hello", "replace", "22P02"),
                Case.of("NaN", "NaN", "replace", "22P02"),
                Case.of("cut off", "{\"a\": [1, 2", "replace", "22P02"),
                Case.of("two values", "{} {}", "replace", "22P02"),
                Case.of("a line break in a string", "\"a\nb\"", "replace", "22P02"),
                Case.of("a byte order mark", "\ufeff{}", "replace", "22P02"),
                Case.of("a name twice", "{\"a\": 1, \"b\": 2, \"a\": 3}", "fail", "{\"a\": 3, \"b\": 2}"),
                Case.of("null as JSON", "null", "fail", "null"));
    }

    static Stream<Arguments> methods() {
        return Stream.of(InsertMethod.VALUES, InsertMethod.UNNEST, InsertMethod.COPY)
                .flatMap(method -> Stream.of("fail", "replace", "strip").map(policy -> Arguments.of(method, policy)));
    }

    /** All of a policy's cases in one batch, among good rows. */
    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("methods")
    void everyValueIsStoredOrRefusedAsTheGuideSays(InsertMethod method, String policy) {
        String table = newTable("jsonb");
        List<Case> cases =
                cases().stream().filter(each -> each.policy().equals(policy)).toList();
        Map<String, String> settings = settings(table, method, policy);
        byte[] good = "{\"good\": true}".getBytes(StandardCharsets.UTF_8);
        List<byte[]> values = new ArrayList<>();
        cases.forEach(each -> values.addAll(List.of(good, each.value())));
        values.addAll(Collections.nCopies(GOOD_ROWS, good));

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(settings, mapped(settings, values));

        List<String> states = outcomes(cases, each -> !each.isStored());
        List<String> stored = outcomes(cases, Case::isStored);
        assertThat(refused.values())
                .extracting(reason -> reason.facts().get("sqlstate"))
                .isEqualTo(states);
        assertThat(STORE.column("SELECT doc::text FROM " + table + " WHERE doc->>'good' IS NULL ORDER BY id"))
                .isEqualTo(stored);
        assertThat(STORE.column("SELECT count(*) FROM " + table + " WHERE doc->>'good' IS NOT NULL"))
                .containsExactly(Integer.toString(GOOD_ROWS + cases.size()));
    }

    private static List<String> outcomes(List<Case> cases, Predicate<Case> condition) {
        return cases.stream().filter(condition).map(Case::outcome).toList();
    }

    private static List<Document> mapped(Map<String, String> settings, List<byte[]> values) {
        try (Target target = new PostgresTargetType().open(settings)) {
            DocumentMapper mapper = target.mapper();
            Progress assignment = Documents.newAssignment();
            List<Document> documents = new ArrayList<>();
            for (byte[] value : values) {
                long offset = documents.size();
                mapper.map(new SinkRecord("readings", 3, null, null, null, value, offset), assignment)
                        .ifPresent(documents::add);
            }
            return documents;
        }
    }

    private static String newTable(String type) {
        String table = "malformed" + tables++;
        STORE.execute("CREATE TABLE " + table + " (id bigserial, doc " + type + ")");
        return table;
    }

    private static Map<String, String> settings(String table, InsertMethod method, String policy) {
        Map<String, String> settings = STORE.connected(Map.of());
        settings.put("table.name.format", table);
        settings.put("insert.method", method.name().toLowerCase(Locale.ROOT));
        settings.put("behavior.on.unstorable.characters", policy);
        return settings;
    }

    @Test
    void aJsonColumnKeepsWhatJsonbCannotStore() {
        String table = newTable("json");
        Map<String, String> settings = settings(table, InsertMethod.AUTO, "fail");
        List<byte[]> values = Stream.of("{\"a\": \"\\u0000\"}", "{\"a\": 1, \"a\": 2}", "{\"never\": ", "\"\\ud83c\"")
                .map(json -> json.getBytes(StandardCharsets.UTF_8))
                .toList();

        Map<Long, RefusedException> refused = DeliveredDocuments.refusals(settings, mapped(settings, values));

        assertThat(refused.keySet()).containsExactly(2L);
        assertThat(STORE.column("SELECT doc::text FROM " + table + " ORDER BY id"))
                .containsExactly("{\"a\": \"\\u0000\"}", "{\"a\": 1, \"a\": 2}", "\"\\ud83c\"");
    }

    /** {@code pg_input_is_valid} is the server's own parser; texts are mutated at random from JSON. */
    @Test
    void thisSidesCheckAgreesWithTheServersParser() throws SQLException {
        Random random = new Random(42);
        List<String> texts = new ArrayList<>();
        cases().stream()
                .map(each -> new String(each.value(), StandardCharsets.UTF_8))
                .filter(text -> text.indexOf('\0') < 0 && text.length() < 1_000 && !text.equals("1e999999"))
                .forEach(texts::add);
        String alphabet = "{}[]\",:\\u0d8c tfnrale-+.e1\n\u00e4";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(
                    "{\"a\\u00e4\\ud83c\\udf0a\": [1, -0.5e+3, true, null, {\"b\\\"\": \"\\\\c\"}], \"d\": {}} ");
            for (int mutation = random.nextInt(4); mutation >= 0; mutation--) {
                int at = random.nextInt(text.length());
                char c = alphabet.charAt(random.nextInt(alphabet.length()));
                switch (random.nextInt(3)) {
                    case 0 -> text.setCharAt(at, c);
                    case 1 -> text.insert(at, c);
                    default -> text.deleteCharAt(at);
                }
            }
            texts.add(text.toString());
        }

        assertThat(disagreements(texts, "jsonb", JsonCheck::jsonb)).isEmpty();
        assertThat(disagreements(texts, "json", JsonCheck::json)).isEmpty();
    }

    private static List<String> disagreements(List<String> texts, String type, Consumer<ByteSlice> check)
            throws SQLException {
        List<String> disagreements = new ArrayList<>();
        int valid = 0;
        try (Connection connection = SERVER.connect();
                PreparedStatement statement = connection.prepareStatement("SELECT t, pg_input_is_valid(t, '" + type
                        + "') FROM unnest(?::text[]) WITH ORDINALITY AS u(t, i) ORDER BY i")) {
            statement.setArray(1, connection.createArrayOf("text", texts.toArray()));
            try (ResultSet answers = statement.executeQuery()) {
                while (answers.next()) {
                    String text = answers.getString(1);
                    valid += answers.getBoolean(2) ? 1 : 0;
                    if (isTaken(text, check) != answers.getBoolean(2)) {
                        disagreements.add(text);
                    }
                }
            }
        }
        assertThat(valid).isBetween(texts.size() / 20, texts.size() - texts.size() / 20); // or it shows little
        return disagreements;
    }

    private static boolean isTaken(String text, Consumer<ByteSlice> check) {
        try {
            check.accept(ByteSlice.of(text.getBytes(StandardCharsets.UTF_8)));
            return true;
        } catch (RefusedException e) {
            return false;
        }
    }

    @Test
    void recordsWithoutAValueArePassedOverOrRefused() {
        Map<String, String> settings = settings(newTable("jsonb"), InsertMethod.AUTO, "fail");
        assertThat(mapNull(settings)).isEmpty();

        settings.put("behavior.on.null.values", "fail");
        assertThat(mapNull(settings)).hasValue("the value is null, and null values are refused");
    }

    private static Optional<String> mapNull(Map<String, String> settings) {
        List<byte[]> none = new ArrayList<>();
        none.add(null);
        try {
            assertThat(mapped(settings, none)).isEmpty();
            return Optional.empty();
        } catch (RefusedException e) {
            return Optional.of(e.getMessage());
        }
    }
}
