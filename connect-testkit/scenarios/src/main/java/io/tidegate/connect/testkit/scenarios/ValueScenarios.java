package io.tidegate.connect.testkit.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link SinkScenarios}, and every form in which values come: a sink reads them before its settings matter. */
public abstract class ValueScenarios extends SinkScenarios {
    private static final String STRING = "org.apache.kafka.connect.storage.StringConverter";
    private static final String TRANSFORMS = "org.apache.kafka.connect.transforms.";
    private static final String JSON = "org.apache.kafka.connect.json.JsonConverter";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    protected ValueScenarios() {}

    @Test
    @Tag("smoke")
    void takesJsonAsBytes() throws JsonProcessingException {
        String json =
                " {\"n\": 1, \"text\": \"\\u00e4\\u20ac\", \"nested\": {\"list\": [1.5, 2.50], \"none\": null, \"yes\": true}}\n";
        startSink(1, Map.of());
        records().sendJson(topic(), json);

        assertStored(json);
    }

    @Test
    void takesJsonAsString() throws JsonProcessingException {
        String json = "{\"n\": 1, \"text\": \"ä€\"}";
        startSink(1, Map.of("value.converter", STRING, "key.converter", STRING));
        records().sendJson(topic(), json);

        assertStored(json);
    }

    @Test
    void takesSchemalessMaps() throws JsonProcessingException {
        String json = "{\"n\": 1, \"map\": {\"a\": {\"b\": [1.5, 2.5], \"c\": [\"two\", null]}}, \"yes\": true}";
        startSink(1, Map.of("value.converter", JSON, "value.converter.schemas.enable", "false"));
        records().sendJson(topic(), json);

        assertStored(json);
    }

    @Test
    @Tag("smoke")
    void takesStructsWithLogicalTypes() throws JsonProcessingException {
        startSink(1, Map.of("value.converter", JSON, "value.converter.schemas.enable", "true"));
        records().sendJson(topic(), STRUCT);

        assertStored("{\"n\": 1, \"price\": 123.45, \"day\": \"2015-01-01\", \"time\": \"00:06:00.000\","
                + " \"at\": \"2015-01-01T00:06:00.000Z\", \"raw\": \"AQID\", \"none\": null,"
                + " \"inner\": {\"levels\": [1.5, 2.5]}}");
    }

    private static final String STRUCT = """
            {"schema": {"type": "struct", "fields": [
              {"field": "n", "type": "int64"},
              {"field": "price", "type": "bytes", "name": "org.apache.kafka.connect.data.Decimal",
               "version": 1, "parameters": {"scale": "2"}},
              {"field": "day", "type": "int32", "name": "org.apache.kafka.connect.data.Date", "version": 1},
              {"field": "time", "type": "int32", "name": "org.apache.kafka.connect.data.Time", "version": 1},
              {"field": "at", "type": "int64", "name": "org.apache.kafka.connect.data.Timestamp", "version": 1},
              {"field": "raw", "type": "bytes"},
              {"field": "none", "type": "string", "optional": true},
              {"field": "inner", "type": "struct", "fields": [
                {"field": "levels", "type": "array", "items": {"type": "double"}}]}]},
             "payload": {"n": 1, "price": "MDk=", "day": 16436, "time": 360000, "at": 1420070760000,
              "raw": "AQID", "none": null, "inner": {"levels": [1.5, 2.5]}}}
            """;

    /**
     * Kafka's usual transforms and predicates, as a chain: tombstones are dropped, the topic gets the year, a field gets
     * that topic, and the topic loses the year again.
     */
    @Test
    @Tag("smoke")
    void worksBehindTransformsAndPredicates() throws JsonProcessingException {
        Map<String, String> settings = new HashMap<>(Map.of(
                "value.converter", JSON,
                "value.converter.schemas.enable", "false",
                "predicates", "tombstone",
                "predicates.tombstone.type", "org.apache.kafka.connect.transforms.predicates.RecordIsTombstone",
                "transforms", "drop,year,field,plain"));
        settings.putAll(Map.of(
                "transforms.drop.type", TRANSFORMS + "Filter",
                "transforms.drop.predicate", "tombstone",
                "transforms.year.type", TRANSFORMS + "TimestampRouter",
                "transforms.year.topic.format", "${topic}-${timestamp}",
                "transforms.year.timestamp.format", "yyyy"));
        settings.putAll(Map.of(
                "transforms.field.type", TRANSFORMS + "InsertField$Value",
                "transforms.field.topic.field", "via",
                "transforms.plain.type", TRANSFORMS + "RegexRouter",
                "transforms.plain.regex", "(.*)-\\d{4}",
                "transforms.plain.replacement", "$1"));
        startSink(1, settings);
        records().sendTombstone(topic(), "k");
        records().sendJson(topic(), "{\"n\": 1}");

        awaitFirstStored();
        JsonNode stored = store().object(topic(), 1);
        assertThat(stored.get("via").asText()).matches(topic() + "-\\d{4}");
        assertThat(store().numbers(topic())).containsExactly(1L);
        awaitCommitted(2);
    }

    private void assertStored(String expected) throws JsonProcessingException {
        awaitFirstStored();
        JsonNode stored = store().object(topic(), 1);
        assertThat(stored).isEqualTo(MAPPER.readTree(expected));
        assertThat(store().numbers(topic())).containsExactly(1L);
    }

    /** Confluent's frame with an id of 4 bytes, Apicurio's with 8, Glue's with a UUID; and neighbours without one. */
    @Test
    @Tag("smoke")
    void takesJsonInTheFrameOfASchemaRegistry() {
        String avro = "\0\0\0\0\7\nhello";
        String cutOff = "\0\0";
        startSink(1, withDeadLetters(Map.of()));
        records().sendJson(topic(), "\0\0\0\0\7{\"n\": 0}");
        records().sendJson(topic(), avro);
        records().sendJson(topic(), "\0\0\0\0\0\0\0\0\7 {\"n\": 1}");
        records().sendJson(topic(), cutOff);
        records().sendJson(topic(), "\3\0" + "0123456789abcdef" + "{\"n\": 2}");
        records().sendJson(topic(), "{\"n\": 3}");

        awaitStored(0, 4);
        awaitCommitted(6);
        assertThat(records().deadLetters(deadLetters()))
                .as("the fetched bytes, and why")
                .extracting(Records.DeadLetter::value)
                .containsExactlyInAnyOrder(avro, cutOff);
        assertThat(records().deadLetters(deadLetters()))
                .extracting(Records.DeadLetter::reason)
                .anyMatch(reason -> reason.contains("(schema 7)") && reason.contains("AvroConverter"))
                .anyMatch(reason -> reason.contains("ends inside Confluent's or Apicurio's frame"));
        assertNoTaskFailed();
    }
}
