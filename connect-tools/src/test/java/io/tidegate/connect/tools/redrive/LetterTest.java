package io.tidegate.connect.tools.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class LetterTest {
    private static Letter letter(String... headers) {
        ConsumerRecord<byte[], byte[]> raw = new ConsumerRecord<>("dlq", 2, 7, null, null);
        for (int i = 0; i < headers.length; i += 2) {
            raw.headers().add("__connect.errors." + headers[i], headers[i + 1].getBytes(UTF_8));
        }
        raw.headers().add("tenant", "a".getBytes(UTF_8));
        return Letter.of(raw);
    }

    @Test
    void theFirstRefusalSaysWhereItComesFromAndTheLastOneWhy() {
        Letter letter = letter(
                "topic",
                "tides",
                "partition",
                "3",
                "offset",
                "40",
                "connector.name",
                "sink",
                "exception.message",
                "no {\"kind\":\"data\"}",
                "topic",
                "dlq",
                "partition",
                "0",
                "offset",
                "9",
                "connector.name",
                "redrive",
                "exception.message",
                "row 5: {\"n\":1} is bad {\"kind\":\"constraint\",\"constraint\":\"positive\"}");

        assertThat(letter.origin()).contains(new Letter.Origin(new TopicPartition("tides", 3), 40));
        assertThat(letter.connector()).isEqualTo("sink");
        assertThat(letter.refusals()).isEqualTo(2);
        assertThat(letter.kind()).isEqualTo("constraint");
        assertThat(letter.reason()).isEqualTo("row 5: {\"n\":1} is bad");
        assertThat(letter.facts()).containsEntry("constraint", "positive").containsEntry("tenant", "a");
    }

    @Test
    void aLetterOfAConverterHasItsStageAsKind() {
        Letter letter = letter("stage", "VALUE_CONVERTER", "exception.message", "no JSON");

        assertThat(letter.kind()).isEqualTo("value_converter");
        assertThat(letter.reason()).isEqualTo("no JSON");
        assertThat(letter.origin()).isEmpty();
        assertThat(letter("topic", "tides", "partition", "x", "offset", "1").origin())
                .isEmpty();
    }

    @Test
    void choosesByKindFactAndTime() {
        Letter letter = letter("connector.name", "sink", "exception.message", "no {\"kind\":\"data\",\"table\":\"t\"}");
        Optional<Instant> none = Optional.empty();
        Optional<Instant> time = Optional.of(letter.time());

        assertThat(new Choice("sink", List.of("data", "type"), Map.of("table", "t"), time, none).fits(letter))
                .isTrue();
        assertThat(new Choice("sink", List.of("type"), Map.of(), none, none).fits(letter))
                .isFalse();
        assertThat(new Choice("sink", List.of(), Map.of("table", "u"), none, none).fits(letter))
                .isFalse();
        assertThat(new Choice("sink", List.of(), Map.of(), none, time).fits(letter))
                .isFalse();
        assertThat(new Choice("other", List.of(), Map.of(), none, none).isOfConnector(letter))
                .isFalse();
    }
}
