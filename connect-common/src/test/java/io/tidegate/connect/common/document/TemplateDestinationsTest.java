package io.tidegate.connect.common.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.value.RefusedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TemplateDestinationsTest {
    private static final long NEW_YEARS_EVE =
            Instant.parse("2018-12-31T23:59:59.123Z").toEpochMilli();

    private final List<List<String>> named = new ArrayList<>();

    @ParameterizedTest
    @CsvSource(
            delimiter = '=',
            value = {
                "fixed = fixed",
                "${topic} = prod.tides",
                "k-${topic}-x = k-prod.tides-x",
                "$topic} = $topic}",
                "a-${timestamp:yyyy.MM.dd} = a-2018.12.31",
                "${timestamp:yyyy-MM-dd'}T{'HH} = 2018-12-31}T{23",
                "${timestamp:mm:ss.SSS} = 59:59.123",
                "${timestamp:YYYY'w'ww} = 2019w01",
                "${key} = k1",
                "${header:tenant} = acme",
                "${header:bytes} = caf\u00e9",
                "${field:$.station.id} = NYC",
                "${field:$['n}']}-${field:station.id} = 7-NYC"
            })
    void fillsPlacesFromTheRecord(String template, String name) {
        assertThat(destinations(template).destinationOf(record())).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "2018-12-30, 2018w52", // a Sunday
        "2018-12-31, 2019w01",
        "2021-01-03, 2020w53",
        "2021-01-04, 2021w01"
    })
    void countsWeeksByIso8601(String date, String week) {
        long timestamp = Instant.parse(date + "T12:00:00Z").toEpochMilli();
        SinkRecord record =
                new SinkRecord("t", 0, null, null, null, "{}", 0, timestamp, TimestampType.CREATE_TIME, List.of());
        assertThat(destinations("${timestamp:YYYY'w'ww}").destinationOf(record)).isEqualTo(week);
    }

    @ParameterizedTest
    @CsvSource({
        "${field:$.none}, the field $.none is null",
        "${field:$.nowhere}, the field $.nowhere is missing",
        "${field:$.station}, the field $.station is object",
        "${field:$.empty}, the field $.empty is empty",
        "${header:other}, the record has no header other",
        "${header:list}, the header list is a List"
    })
    void refusesARecordThatLacksAPart(String template, String reason) {
        assertThatThrownBy(() -> destinations(template).destinationOf(record()))
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("the record of topic prod.tides has no destination: " + reason)
                .hasMessageEndingWith("; see table.name");
    }

    @Test
    void refusesARecordWithoutKeyOrTimestamp() {
        SinkRecord bare = new SinkRecord("t", 0, null, null, null, null, 0);
        assertThatThrownBy(() -> destinations("${key}").destinationOf(bare)).hasMessageContaining("the key is null");
        assertThatThrownBy(() -> destinations("${timestamp:yyyy}").destinationOf(bare))
                .hasMessageContaining("the record has no timestamp");
        SinkRecord odd = new SinkRecord("t", 0, null, new byte[] {(byte) 0xff}, null, null, 0);
        assertThatThrownBy(() -> destinations("${key}").destinationOf(odd))
                .hasMessageContaining("the key is not UTF-8");
    }

    @Test
    void prefersATopicsOwnName() {
        TemplateDestinations destinations = destinations(
                new DestinationTemplates(templates("other"), Map.of("prod.tides", templates("own-${key}")), none()));
        assertThat(destinations.destinationOf(record())).isEqualTo("own-k1");
        assertThat(destinations.destinationOf(topic("b"))).isEqualTo("other");
    }

    @Test
    void fillsGroupsOfTheTopic() {
        TemplateDestinations destinations = destinations(new DestinationTemplates(
                templates("${what}-${1}${3}"),
                Map.of(),
                DestinationTemplates.topicPattern("(\\w+)\\.(?<what>\\w+)(-v\\d)?")));
        assertThat(destinations.destinationOf(topic("prod.tides"))).isEqualTo("tides-prod");
        assertThat(destinations.destinationOf(topic("test.tides-v2"))).isEqualTo("tides-test-v2");
        assertThatThrownBy(() -> destinations.destinationOf(topic("tides")))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("topic tides")
                .hasMessageContaining("it does not match (\\w+)");
    }

    @Test
    void fillsThePartsOfANameSeparately() {
        TemplateDestinations destinations =
                destinations(DestinationTemplates.of(Template.parse("s"), Template.parse("${topic}")));
        assertThat(destinations.destinationOf(topic("a.b"))).isEqualTo("s/a.b");
        assertThat(named).containsExactly(List.of("s", "a.b"));
    }

    @Test
    void neverReadsAFilledPartAsATemplate() {
        SinkRecord record = new SinkRecord("t", 0, null, "${topic}", null, null, 0);
        assertThat(destinations("${key}").destinationOf(record)).isEqualTo("${topic}");
    }

    @Test
    void namesATopicOnceAndEveryOtherNameOnce() {
        TemplateDestinations ofTopic = destinations("${topic}");
        String first = ofTopic.destinationOf(topic("a"));
        assertThat(ofTopic.destinationOf(topic("a"))).isSameAs(first);
        TemplateDestinations ofKey = destinations("${topic}-${key}");
        String second = ofKey.destinationOf(record());
        assertThat(ofKey.destinationOf(record())).isSameAs(second);
        assertThat(named).hasSize(2);
    }

    @Test
    void passesOnWhyTheSinkRefusesAName() {
        TemplateDestinations destinations = new TemplateDestinations(
                DestinationTemplates.of(Template.parse("${topic}")),
                new RecordFields(List.of()),
                parts -> {
                    throw new IllegalArgumentException("too long");
                },
                "see table.name");
        assertThatThrownBy(() -> destinations.destinationOf(topic("a")))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the record of topic a has no destination: too long; see table.name");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '=',
            value = {
                "${odd} = `${odd}` is a group of the topic's regular expression, and none applies here",
                "${odd:x} = `${odd:x}` is none of ${topic}, ${timestamp:yyyy.MM.dd}",
                "${topic:x} = `${topic:x}` is no",
                "${timestamp} = `${timestamp}` is none of",
                "${timestamp:} = `${timestamp:}` is none of",
                "${} = `${}` is none of",
                "a-${topic = `${topic` has no closing brace",
                "${timestamp:foo} = `foo` is no date pattern",
                "${timestamp:YYYY.MM} = write y for the year",
                "${field:$.*} = `$.*` is not a path"
            })
    void saysWhatIsWrongWithATemplate(String template, String reason) {
        assertThatThrownBy(() -> DestinationTemplates.of(Template.parse(template)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource({"${2}, (.*)", "${name}, (.*)", "${name}, (?<other>.*)"})
    void refusesGroupsThatTheExpressionLacks(String template, String regex) {
        assertThatThrownBy(() -> new DestinationTemplates(
                        templates(template), Map.of(), DestinationTemplates.topicPattern(regex)))
                .hasMessage("`" + template + "` is no group of the topic's regular expression");
    }

    @Test
    void takesPairsApart() {
        assertThat(DestinationTemplates.pairs(List.of("a:b", " c : ${timestamp:HH:mm} ")))
                .isEqualTo(Map.of("a", "b", "c", "${timestamp:HH:mm}"));
        assertThatThrownBy(() -> DestinationTemplates.pairs(List.of("a:b", "a:c")))
                .hasMessage("topic a is named twice");
        assertThatThrownBy(() -> DestinationTemplates.pairs(List.of("a"))).hasMessage("each entry must be topic:name");
    }

    @Test
    void findsWhereAPlaceEnds() {
        String text = "s.${field:$['a.}'].b}.t";
        assertThat(Template.endOfPlace(text, 2)).isEqualTo(text.indexOf(".t"));
        assertThat(Template.endOfPlace(text, 0)).isZero();
    }

    private TemplateDestinations destinations(String template) {
        return destinations(DestinationTemplates.of(Template.parse(template)));
    }

    private TemplateDestinations destinations(DestinationTemplates templates) {
        return new TemplateDestinations(
                templates,
                new RecordFields(templates.fields()),
                parts -> {
                    named.add(parts);
                    return String.join("/", parts);
                },
                "see table.name");
    }

    private static List<Template> templates(String... texts) {
        return Stream.of(texts).map(Template::parse).toList();
    }

    private static Optional<Pattern> none() {
        return DestinationTemplates.topicPattern(" ");
    }

    private static SinkRecord topic(String topic) {
        return new SinkRecord(topic, 0, null, "k", null, "{}", 0);
    }

    private static SinkRecord record() {
        ConnectHeaders headers = new ConnectHeaders();
        headers.addString("tenant", "old");
        headers.addString("tenant", "acme");
        headers.addBytes("bytes", "caf\u00e9".getBytes(UTF_8));
        headers.add("list", new SchemaAndValue(null, List.of("x")));
        String json = "{\"station\":{\"id\":\"NYC\"},\"n}\":7,\"none\":null,\"empty\":\"\"}";
        return new SinkRecord(
                "prod.tides", 0, null, "k1", null, json, 0, NEW_YEARS_EVE, TimestampType.CREATE_TIME, headers);
    }
}
