package io.tidegate.connect.jsonb.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.row.WireType;
import io.tidegate.connect.testkit.postgres.PgVector;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Skip;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares each encoder with a real PostgreSQL, on drawn and hostile values: what is encoded here has the bytes that the
 * server would make of the same JSON. {@code -Dtidegate.values=10000} draws more of them.
 */
final class FieldEncoderIT {
    private static final String ANSWERS = "CREATE TABLE answers (n int, state text, bytes bytea)";
    private static final int VALUES = Integer.getInteger("tidegate.values", 2_000);

    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();

    private static final Set<WireType> OF_PGVECTOR = EnumSet.of(WireType.VECTOR, WireType.HALFVEC);

    private static final Map<WireType, String> SEND = Map.ofEntries(
            Map.entry(WireType.TEXT, "textsend"),
            Map.entry(WireType.INT2, "int2send"),
            Map.entry(WireType.INT4, "int4send"),
            Map.entry(WireType.INT8, "int8send"),
            Map.entry(WireType.BOOL, "boolsend"),
            Map.entry(WireType.FLOAT4, "float4send"),
            Map.entry(WireType.FLOAT8, "float8send"),
            Map.entry(WireType.NUMERIC, "numeric_send"),
            Map.entry(WireType.UUID, "uuid_send"),
            Map.entry(WireType.DATE, "date_send"),
            Map.entry(WireType.TIME, "time_send"),
            Map.entry(WireType.TIMESTAMP, "timestamp_send"),
            Map.entry(WireType.TIMESTAMPTZ, "timestamptz_send"),
            Map.entry(WireType.BYTEA, "byteasend"),
            Map.entry(WireType.VECTOR, "vector_send"),
            Map.entry(WireType.HALFVEC, "halfvec_send"));

    /** Forms that must not need the server's help. */
    private static final Map<WireType, List<String>> USUAL = Map.ofEntries(
            Map.entry(
                    WireType.TEXT,
                    List.of("\"\"", "\"a\\\"\\u00e9\\ud83d\\ude00\\n\"", "12.50", "true", "{\"a\": [1]}")),
            Map.entry(WireType.INT2, List.of("0", "-32768", "32767", "\"12\"", "-0")),
            Map.entry(WireType.INT4, List.of("0", "-2147483648", "2147483647", "\"007\"")),
            Map.entry(WireType.INT8, List.of("0", "-1", "999999999999999999", "\"-5\"")),
            Map.entry(WireType.BOOL, List.of("true", "false", "\"true\"")),
            Map.entry(WireType.FLOAT4, List.of("0", "-0.0", "1.5", "3.4028235e38", "1e-45", "16777217")),
            Map.entry(
                    WireType.FLOAT8,
                    List.of("0", "-0", "0.1", "1.7976931348623157e308", "5e-324", "123456789012345678901234567890")),
            Map.entry(
                    WireType.NUMERIC,
                    List.of(
                            "0",
                            "-0",
                            "0.00",
                            "1",
                            "10000",
                            "0.0001",
                            "-12.50",
                            "1e5",
                            "1.5e-7",
                            "99990000.00001",
                            "\"7\"")),
            Map.entry(
                    WireType.UUID,
                    List.of("\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\"", "\"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11\"")),
            Map.entry(WireType.DATE, List.of("\"2026-11-23\"", "\"2024-02-29\"", "\"0001-01-01\"", "\"1999-12-31\"")),
            Map.entry(WireType.TIME, List.of("\"00:00:00\"", "\"23:59:59.999999\"", "\"10:15:30.5\"")),
            Map.entry(WireType.TIMESTAMP, List.of("\"2026-11-23T10:15:30\"", "\"1999-12-31 23:59:59.25Z\"")),
            Map.entry(
                    WireType.TIMESTAMPTZ,
                    List.of(
                            "\"2026-11-23T10:15:30Z\"",
                            "\"1900-01-01 00:00:00+05:30\"",
                            "\"2026-11-23T10:15:30.1-08\"")),
            Map.entry(WireType.BYTEA, List.of("\"\\\\x\"", "\"\\\\xDEADbeef\"")),
            Map.entry(
                    WireType.VECTOR,
                    List.of(
                            "[1]",
                            "[ 0.5 , -0,\n1e-3\t]",
                            "\"[1,2.5]\"",
                            "[0.023456789123456789, 3.4028235e38, 1.17549435e-38, 1e-45, 16777217, 0.1]")),
            Map.entry(
                    WireType.HALFVEC,
                    List.of(
                            "[1]",
                            "[65504, -65504, 65519.99, 2049, 2051, 0.1]",
                            "[6.1035156e-5, 6.0975552e-5, 5.9604645e-8, 2.9802322e-8, 2.98023224e-8, 1e-9, -0]")));

    /** Values of which most are wrong or rare for most types. */
    private static final List<String> HOSTILE = List.of(
            "\"\"",
            "\" 1 \"",
            "\"+1\"",
            "\".5\"",
            "\"5.\"",
            "\"1_000\"",
            "\"0x1F\"",
            "\"0b11\"",
            "\"1e\"",
            "\"1e+\"",
            "\"--1\"",
            "1e400",
            "-1e400",
            "1e-400",
            "1E+3",
            "1.0",
            "1e3",
            "-0.0e-10",
            "32768",
            "2147483648",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "99999999999999999999999999999999999999999999",
            "1e1001",
            "0.00000000000000000000000000000000000000000000000000000000000000001",
            "\"NaN\"",
            "\"nan\"",
            "\"Infinity\"",
            "\"-infinity\"",
            "\"inf\"",
            "\"infinity\"",
            "\"epoch\"",
            "\"now\"",
            "\"t\"",
            "\"yes\"",
            "\"of\"",
            "\"TRUE\"",
            "\"1\"",
            "{}",
            "[]",
            "[1,2]",
            "{\"a\":1}",
            "\"{1,2}\"",
            "\"2026-02-29\"",
            "\"2026-13-01\"",
            "\"2026-00-10\"",
            "\"2026-01-00\"",
            "\"0000-01-01\"",
            "\"2026-1-1\"",
            "\"20261123\"",
            "\"11/23/2026\"",
            "\"Nov 23 2026\"",
            "\"2026-11-23 BC\"",
            "\"294277-01-01\"",
            "\"4714-11-24 BC\"",
            "\"2026-11-23T24:00:00Z\"",
            "\"2026-11-23T23:59:60Z\"",
            "\"2026-11-23T10:15Z\"",
            "\"2026-11-23T10:15:30.1234567Z\"",
            "\"2026-11-23T10:15:30.9999999Z\"",
            "\"2026-11-23T10:15:30.Z\"",
            "\"2026-11-23T10:15:30+16:00\"",
            "\"2026-11-23T10:15:30+15:59\"",
            "\"2026-11-23T10:15:30+0530\"",
            "\"2026-11-23T10:15:30 Europe/Berlin\"",
            "\"2026-11-23T10:15:30z\"",
            "\"2026-11-23t10:15:30Z\"",
            "\"2026-11-23T10:15:30+1\"",
            "\"24:00:00\"",
            "\"23:59:60\"",
            "\"10:15\"",
            "\"10:15:30 PM\"",
            "\"10:15:30+02\"",
            "\"allballs\"",
            "\"{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}\"",
            "\"a0eebc999c0b4ef8bb6d6bb9bd380a11\"",
            "\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1\"",
            "\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1g\"",
            "\"\\\\xabc\"",
            "\"\\\\xzz\"",
            "\"\\\\Xab\"",
            "\"\\\\xAb 12\"",
            "\"a\\\\\\\\b\"",
            "\"a\\\\001b\"",
            "\"\\\\x\\u0061b\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"\\udc00x\"",
            "\"\\u002d1\"",
            "\"\\u00310\"",
            "[]",
            "\"[1,]\"",
            "\"[1,2] \"",
            "\"[1 2]\"",
            "[[1],[2]]",
            "[null]",
            "[\"1\"]",
            "[1e39]",
            "[-65520]",
            "[1e-60]",
            "[true]",
            "[" + "1,".repeat(15_999) + "1]",
            "[" + "1,".repeat(16_000) + "1]",
            "1700000000",
            "1700000000000",
            "true",
            "false",
            "\"\\t1\"");

    @BeforeAll
    static void start() throws SQLException {
        SERVER.start();
        execute(SERVER, ANSWERS);
    }

    private static void execute(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"JSON", "VECTOR", "HALFVEC"}) // JSON goes as it is
    void encodesWhatTheServerWouldMakeOfTheText(WireType wire) throws SQLException {
        encodesAsTheServer(SERVER, wire);
    }

    @Test
    void encodesVectorsAsPgvector() throws SQLException {
        if (!PgVector.isInstalled()) {
            Skip.loudly(FieldEncoderIT.class, PgVector.NOT_INSTALLED);
        }
        try (PostgresServer server =
                PostgresServer.builder().fastStart().withVectors().build()) {
            server.start();
            execute(server, "CREATE EXTENSION vector");
            execute(server, ANSWERS);
            for (WireType wire : OF_PGVECTOR) {
                encodesAsTheServer(server, wire);
            }
        }
    }

    private static void encodesAsTheServer(PostgresServer realServer, WireType wire) throws SQLException {
        List<String> values = new ArrayList<>(USUAL.get(wire));
        int usual = values.size();
        values.addAll(HOSTILE);
        Random random = new Random(wire.name().hashCode());
        while (values.size() < VALUES) {
            values.add(drawn(wire, random));
        }
        List<Optional<String>> server = askServer(realServer, wire, values);
        int encoded = 0;
        for (int i = 0; i < values.size(); i++) {
            Optional<String> bytes = encoded(wire, values.get(i));
            assertThat(encodedInPlace(wire, values.get(i)).or(() -> bytes))
                    .as(wire + " of " + values.get(i) + " where its end is not known")
                    .isEqualTo(bytes);
            if (bytes.isPresent()) {
                encoded++;
                assertThat(bytes).as(wire + " of " + values.get(i)).isEqualTo(server.get(i));
            }
            assertThat(bytes.isPresent() || i >= usual)
                    .as(wire + " of " + values.get(i) + " is encoded here")
                    .isTrue();
        }
        assertThat(encoded).as("encoded of " + values.size()).isGreaterThan(values.size() / 5);
    }

    /** Empty unless it is a number in a usual form. */
    private static Optional<String> encodedInPlace(WireType wire, String value) {
        byte[] json = (value + "}").getBytes(StandardCharsets.UTF_8);
        ByteArena out = new ByteArena(1);
        int end = new FieldEncoder().encodeNumber(wire, json, 0, json.length, out);
        if (end < 0) {
            assertThat(out.size()).isZero();
            return Optional.empty();
        }
        assertThat(end).isEqualTo(json.length - 1);
        return Optional.of(HexFormat.of().formatHex(Arrays.copyOf(out.array(), out.size())));
    }

    private static Optional<String> encoded(WireType wire, String value) {
        byte[] json = value.getBytes(StandardCharsets.UTF_8);
        ByteArena out = new ByteArena(1);
        try {
            return new FieldEncoder().encode(wire, json, 0, json.length, out)
                    ? Optional.of(HexFormat.of().formatHex(Arrays.copyOf(out.array(), out.size())))
                    : Optional.empty();
        } catch (RefusedException e) {
            return Optional.of("refused"); // and so must it be there
        }
    }

    /** The bytes that the server would send of each value. */
    private static List<Optional<String>> askServer(PostgresServer server, WireType wire, List<String> values)
            throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "SET TIME ZONE 'UTC'; TRUNCATE answers; DROP TABLE IF EXISTS typed; CREATE TABLE typed (v "
                            + wire.type() + ")");
            String block = "DO $$DECLARE doc text; n int := 0; answer bytea; BEGIN"
                    + " FOREACH doc IN ARRAY current_setting('tidegate.docs')::text[] LOOP BEGIN"
                    + " answer := " + SEND.get(wire) + "((json_populate_record(NULL::typed, doc::json)).v);"
                    + " INSERT INTO answers VALUES (n, NULL, answer); EXCEPTION WHEN OTHERS THEN"
                    + " INSERT INTO answers VALUES (n, SQLSTATE, NULL); END; n := n + 1; END LOOP; END$$";
            String[] documents =
                    values.stream().map(value -> "{\"v\": " + value + "}").toArray(String[]::new);
            try (PreparedStatement set =
                    connection.prepareStatement("SELECT set_config('tidegate.docs', (?::text[])::text, false)")) {
                set.setArray(1, connection.createArrayOf("text", documents));
                set.execute();
            }
            statement.execute(block);
            List<Optional<String>> answers = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("SELECT encode(bytes, 'hex') FROM answers ORDER BY n")) {
                while (rows.next()) {
                    answers.add(
                            Optional.of(Optional.ofNullable(rows.getString(1)).orElse("refused")));
                }
            }
            assertThat(answers).hasSameSizeAs(values);
            return answers;
        }
    }

    private static String drawn(WireType wire, Random random) {
        return switch (wire) {
            case JSON, TEXT -> drawnText(random);
            case BOOL -> random.nextBoolean() ? "true" : "false";
            case INT2, INT4, INT8 -> Long.toString(random.nextLong() >> random.nextInt(Long.SIZE));
            case FLOAT4, FLOAT8, NUMERIC -> drawnNumber(random);
            case UUID -> '"' + new java.util.UUID(random.nextLong(), random.nextLong()).toString() + '"';
            case DATE -> '"' + drawnDate(random) + '"';
            case TIME -> '"' + drawnTime(random) + '"';
            case TIMESTAMP -> '"' + drawnDate(random) + (random.nextBoolean() ? "T" : " ") + drawnTime(random) + '"';
            case TIMESTAMPTZ -> '"' + drawnDate(random) + "T" + drawnTime(random) + drawnZone(random) + '"';
            case BYTEA -> {
                byte[] bytes = new byte[random.nextInt(20)];
                random.nextBytes(bytes);
                yield "\"\\\\x" + HexFormat.of().formatHex(bytes) + '"';
            }
            case VECTOR, HALFVEC ->
                Stream.generate(() -> drawnElement(wire, random))
                        .limit(1 + random.nextInt(20))
                        .collect(Collectors.joining(random.nextBoolean() ? "," : ", ", "[", "]"));
        };
    }

    private static String drawnText(Random random) {
        StringBuilder text = new StringBuilder("\"");
        List<String> parts =
                List.of("a", "é", "😀", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\\"", "\\\\", "\\/", " ", "\\u0001");
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(parts.get(random.nextInt(parts.size())));
        }
        return text.append('"').toString();
    }

    private static String drawnNumber(Random random) {
        StringBuilder text = new StringBuilder(random.nextInt(3) == 0 ? "-" : "");
        int digits = 1 + random.nextInt(random.nextInt(4) == 0 ? 30 : 8);
        text.append(digits == 1 ? random.nextInt(10) : 1 + random.nextInt(9));
        for (int i = 1; i < digits; i++) {
            text.append(random.nextInt(3) == 0 ? 0 : random.nextInt(10));
        }
        if (random.nextInt(3) > 0) {
            text.append('.');
            for (int i = 1 + random.nextInt(random.nextInt(4) == 0 ? 25 : 6); i > 0; i--) {
                text.append(random.nextInt(3) == 0 ? 0 : random.nextInt(10));
            }
        }
        if (random.nextInt(4) == 0) {
            text.append("e").append(random.nextInt(80) - 40);
        }
        return text.toString();
    }

    /** Mostly what a model writes: a float or a double as its shortest text. */
    private static String drawnElement(WireType wire, Random random) {
        return switch (random.nextInt(50)) {
            case 0 -> drawnNumber(random);
            case 1 -> Float.toString(Float.intBitsToFloat(random.nextInt() & 0xbfffffff)); // below 2
            case 2 ->
                new BigDecimal(Float.intBitsToFloat(random.nextInt(0x3c000000, 0x47000000)))
                        .round(new MathContext(18))
                        .toString();
            default ->
                random.nextBoolean()
                        ? Float.toString(random.nextFloat() - 0.5f)
                        : Double.toString(random.nextGaussian() * (wire == WireType.HALFVEC ? 1 : 1e-3));
        };
    }

    private static String drawnDate(Random random) {
        int year = random.nextInt(3) == 0 ? 1 + random.nextInt(9999) : 1990 + random.nextInt(60);
        return String.format("%04d-%02d-%02d", year, 1 + random.nextInt(12), 1 + random.nextInt(31));
    }

    private static String drawnTime(Random random) {
        String time = String.format("%02d:%02d:%02d", random.nextInt(24), random.nextInt(60), random.nextInt(60));
        int digits = random.nextInt(8);
        return digits == 0
                ? time
                : time + '.' + String.format("%07d", random.nextInt(10_000_000)).substring(0, digits);
    }

    private static String drawnZone(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> "";
            case 1 ->
                String.format("%s%02d:%02d", random.nextBoolean() ? "+" : "-", random.nextInt(17), random.nextInt(60));
            default -> "Z";
        };
    }
}
