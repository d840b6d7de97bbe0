package io.tidegate.connect.tools.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.tools.redrive.Plan.Step;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

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

    /** As of an order. */
    @Test
    void aHeaderOfTheRecordIsNoKind() {
        ConsumerRecord<byte[], byte[]> raw = new ConsumerRecord<>("dlq", 2, 7, null, null);
        raw.headers().add("kind", "express".getBytes(UTF_8));
        raw.headers().add("__connect.errors.stage", "VALUE_CONVERTER".getBytes(UTF_8));

        Letter letter = Letter.of(raw);

        assertThat(letter.kind()).isEqualTo("value_converter");
        assertThat(letter.facts()).containsEntry("kind", "express");
    }

    @Test
    void aLetterOfTheLargestSizeFitsIntoTheProducersMemory() {
        assertThat((long) GroupMember.transactional(Map.of(), "group").get("buffer.memory"))
                .isGreaterThan(GroupMember.MOST_BYTES);
    }

    @Test
    void choosesByKindFactAndTime() {
        Letter letter = letter("connector.name", "sink", "exception.message", "no {\"kind\":\"data\",\"table\":\"t\"}");
        String time = letter.time().toString();

        assertThat(choice("--kind", "data,type", "--where", "table=t", "--since", time)
                        .fits(letter))
                .isTrue();
        assertThat(choice("--kind", "type").fits(letter)).isFalse();
        assertThat(choice("--where", "table=u").fits(letter)).isFalse();
        assertThat(choice("--until", time).fits(letter)).isFalse();
    }

    private static Choice choice(String... options) {
        return CommandLine.populateCommand(new Choice(), options);
    }

    @Test
    void aPlanParksOnlyItsOwnConnectorsLetters() {
        String[] own = {"topic", "tides", "partition", "3", "offset", "40", "connector.name", "sink"};

        assertThat(plan(false).of(letter(own))).isEqualTo(Step.WRITE);
        assertThat(plan(true).of(letter(own))).isEqualTo(Step.PASS_UNSURE);
        assertThat(plan(true, "--kind", "data").of(letter(own)))
                .as("it may be written as well")
                .isEqualTo(Step.PASS_UNSURE);
        assertThat(plan(false, "--kind", "data").of(letter(own))).isEqualTo(Step.PARK_LEFT_OUT);
        own[7] = "another";
        assertThat(plan(true, "--kind", "data").of(letter(own))).isEqualTo(Step.PASS_OTHERS);
        assertThat(plan(false).of(letter("connector.name", "sink"))).isEqualTo(Step.PASS_WITHOUT_ORIGIN);
        assertThat(plan(false)
                        .of(letter(
                                "topic",
                                "t",
                                "partition",
                                "0",
                                "offset",
                                "1",
                                "topic",
                                "q",
                                "topic",
                                "q",
                                "connector.name",
                                "sink")))
                .isEqualTo(Step.PARK_SPENT);
    }

    private static Plan plan(boolean skipsUnsure, String... options) {
        Map<TopicPartition, Position> positions = Map.of(new TopicPartition("dlq", 2), new Position(5, 8));
        return new Plan(choice(options), "sink", 2, positions, skipsUnsure, false);
    }
}
