package io.tidegate.connect.common.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.tidegate.connect.common.document.Envelope;
import io.tidegate.connect.common.document.Envelope.Kind;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Damaged change events: each is read as a strict parser reads it, or refused with a reason. */
final class HostileEventsTest {
    private static final int EVENTS = 10_000;
    private static final JsonFactory STRICT = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final byte[] TOKENS = "{}[]\",:\\ntf0-\u0000\u00e9 ".getBytes(UTF_8);

    private final Random random = new Random(15);
    private final Envelope envelope = Events.envelope();
    private int accepted;
    private int refused;

    @Test
    void eachIsReadAsAStrictParserReadsItOrRefused() {
        List<String> rows = List.of(
                "{\"id\":1,\"text\":\"a\\\"}b\",\"n\":null}",
                "{\"id\":-1.5e3,\"list\":[1,[2,{\"a\":\"]\"}]],\"doc\":\"{\\\"x\\\":[1]}\"}",
                "{}",
                "{\"\u00e9\":\"\ud83c\udf0a\",\"\\u0061\":\"\\\\\"}");
        for (int i = 0; i < EVENTS; i++) {
            String row = rows.get(random.nextInt(rows.size()));
            String event = Events.event(List.of("c", "c", "c", "u", "d", "r").get(random.nextInt(6)), "null", row)
                    .replace("1767225600001", String.valueOf(random.nextInt(200)));
            check((random.nextInt(3) > 0 ? event : Events.withSchema(event)).getBytes(UTF_8));
        }
        assertThat(accepted).isGreaterThan(EVENTS / 10);
        assertThat(refused).isGreaterThan(EVENTS / 10);
    }

    private void check(byte[] event) {
        byte[] damaged = damaged(event);
        assertThat(outcome(envelope, damaged)).isEqualTo(outcome(Events.envelope(), damaged));
        Optional<String> expected = after(damaged);
        try {
            Envelope.Change change = envelope.open(Events.record("1", damaged));
            accepted++;
            if (expected.isPresent() && change.kind() == Kind.WRITE && !Arrays.equals(damaged, 0, 10, SCHEMA, 0, 10)) {
                assertThat(Events.row(change)).isEqualTo(expected.get());
            }
            if (change.record().value() instanceof ByteSlice row) {
                assertThat(row.array()[row.from()]).isEqualTo((byte) '{');
                assertThat(row.array()[row.to() - 1]).isEqualTo((byte) '}');
            }
        } catch (RefusedException e) {
            refused++;
            assertThat(e).hasMessageMatching("(?s)the (value|change event) .+");
        }
    }

    /** The events before make no difference. */
    private static String outcome(Envelope envelope, byte[] event) {
        try {
            Envelope.Change change = envelope.open(Events.record("1", event));
            return change.kind() + " " + change.position() + " " + Events.row(change);
        } catch (RefusedException e) {
            return e.getMessage();
        }
    }

    private static final byte[] SCHEMA = "{\"schema\":".getBytes(UTF_8);

    /** Some bytes are removed, repeated or replaced; some events are cut off; some stay as they are. */
    private byte[] damaged(byte[] event) {
        byte[] bytes = event;
        for (int times = random.nextInt(3); times > 0; times--) {
            int from = random.nextInt(bytes.length);
            int to = Math.min(bytes.length, from + 1 + random.nextInt(random.nextInt(4) == 0 ? 300 : 4));
            bytes = switch (random.nextInt(4)) {
                case 0 -> joined(bytes, from, bytes, to); // removed
                case 1 -> joined(bytes, to, bytes, from); // repeated
                case 2 -> Arrays.copyOf(bytes, Math.max(1, from)); // cut off
                default -> {
                    byte[] copy = bytes.clone();
                    copy[from] = TOKENS[random.nextInt(TOKENS.length)];
                    yield copy;
                }
            };
        }
        return bytes;
    }

    private static byte[] joined(byte[] head, int to, byte[] tail, int from) {
        byte[] bytes = Arrays.copyOf(head, to + tail.length - from);
        System.arraycopy(tail, from, bytes, to, tail.length - from);
        return bytes;
    }

    /** The text of {@code after} at the top, or empty when a strict parser refuses the event or finds none. */
    private static Optional<String> after(byte[] event) {
        Optional<String> after = Optional.empty();
        try (JsonParser parser = STRICT.createParser(event)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean isAfter = parser.currentName().equals("after");
                int from = (int)
                        (parser.nextToken() == null
                                ? 0
                                : parser.currentTokenLocation().getByteOffset());
                parser.skipChildren();
                if (isAfter && event[from] == '{') {
                    after = Optional.of(new String(
                            event, from, (int) parser.currentLocation().getByteOffset() - from, UTF_8));
                }
            }
            return parser.nextToken() == null ? after : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
