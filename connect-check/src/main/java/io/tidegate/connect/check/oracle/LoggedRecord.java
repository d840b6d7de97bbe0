package io.tidegate.connect.check.oracle;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A record as Kafka has it.
 *
 * @param timestamp milliseconds since 1970
 * @param headers the last value of each name
 */
public record LoggedRecord(
        String topic,
        int partition,
        long offset,
        long timestamp,
        Optional<ByteBuffer> key,
        Optional<ByteBuffer> value,
        Map<String, String> headers) {
    public LoggedRecord {
        Objects.requireNonNull(topic, "topic");
        headers = Map.copyOf(headers);
    }

    /** The same place in Kafka has the same text, also in a log that was created again. */
    public String coordinates() {
        return topic + "-" + partition + "@" + offset;
    }

    /** The partition, as a text. */
    String log() {
        return topic + "-" + partition;
    }

    /** The bytes as text; empty if they are not UTF-8. */
    static Optional<String> utf8(ByteBuffer bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(bytes.duplicate())
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return coordinates() + " key " + shown(key) + " value " + shown(value);
    }

    private static String shown(Optional<ByteBuffer> bytes) {
        return bytes.map(present -> utf8(present).map(Texts::shortened).orElse("(" + present.remaining() + " bytes)"))
                .orElse("none");
    }
}
