package io.tidegate.connect.testkit.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.process.Ports;
import io.tidegate.connect.testkit.registry.ApicurioRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * {@link AvroScenarios}, and what is the same code in every sink, so that one sink's test is enough: other values in Avro,
 * JSON through the registry's converters, JSON behind the registry's frame without a converter, and a registry that is
 * down or does not know a schema.
 */
public abstract class ConverterScenarios extends AvroScenarios {
    private static final String LONG =
            "{\"type\": \"record\", \"name\": \"%s\", \"fields\": [{\"name\": \"n\", \"type\": \"long\"}]}";

    protected ConverterScenarios() {}

    @Test
    void takesRecursiveRecordsOfAvroAndKeepsNullsThatHaveADefault() throws IOException {
        takesRecursiveRecords(avro());
    }

    @Test
    void takesRecursiveRecordsOfAvroWithoutAConverter() throws IOException {
        takesRecursiveRecords(avroWithoutAConverter());
    }

    private void takesRecursiveRecords(Map<String, String> settings) throws IOException {
        startSink(1, settings);
        sendAvro("""
                {"type": "record", "name": "Node", "fields": [
                  {"name": "n", "type": "long"},
                  {"name": "note", "type": ["string", "null"], "default": "usual"},
                  {"name": "next", "type": ["null", "Node"], "default": null}]}
                """, """
                {"n": 1, "note": null, "next": {"Node": {"n": 2, "note": {"string": "x"}, "next": null}}}
                """);

        assertStored("""
                {"n": 1, "note": null, "next": {"n": 2, "note": "x", "next": null}}
                """);
    }

    /** For a content id, the registry does not give the types that a schema names. */
    @Test
    void takesASchemaByItsContentIdThatNamesATypeOfAnother() throws IOException {
        String inner = LONG.formatted("Inner");
        String outer = """
                {"type": "record", "name": "Outer", "fields": [
                  {"name": "n", "type": "long"}, {"name": "inner", "type": %s}]}
                """;
        startSink(1, avroWithoutAConverter());
        long unused = registry().register(topic() + "-inner", "AVRO", inner);
        long id = registry().registerReferring(topic(), outer.formatted("\"Inner\""), "Inner", topic() + "-inner");
        records()
                .sendBytes(topic(), framedShort(id, avro(outer.formatted(inner), "{\"n\": 1, \"inner\": {\"n\": 2}}")));

        assertStored("{\"n\": 1, \"inner\": {\"n\": 2}}");
    }

    /** As {@code Legacy4ByteIdHandler} writes it. Two artifacts have one content, so the ids differ. */
    @Test
    void takesAGlobalIdOfFourBytes() throws IOException {
        Map<String, String> settings = new HashMap<>(avroWithoutAConverter());
        settings.put("schema.registry.use.id", "global");
        String schema = LONG.formatted("Shared");
        startSink(1, settings);
        long first = registry().register(topic() + "-first", "AVRO", schema);
        long second = registry().register(topic() + "-second", "AVRO", schema);
        assertThat(second).isNotEqualTo(first);
        records().sendBytes(topic(), framedShort(second, avro(schema, "{\"n\": 1}")));

        assertStored("{\"n\": 1}");
    }

    /**
     * The schema of the second record is new to the task, so it has to wait for the registry. The registry forgets its
     * schemas when it stops: the sink reaches it only when it has them again.
     */
    @Test
    void waitsForARegistryThatIsDownAndLosesNothing() {
        String first = LONG.formatted("First");
        String second = LONG.formatted("Second");
        URI url = registry().url();
        try (TcpProxy proxy = TcpProxy.to(url.getHost(), url.getPort())) {
            startSink(
                    1,
                    Map.of(
                            "value.format",
                            "avro",
                            "schema.registry.url",
                            "http://" + proxy.host() + ":" + proxy.port() + url.getPath()));
            sendAvro(first, "{\"n\": 0}");
            awaitStored(0, 1);
            long firstId = registry().register(topic() + "-first", "AVRO", first);
            long secondId = registry().register(topic() + "-second", "AVRO", second);
            long mark = logMark();

            registry().stop();
            records().sendBytes(topic(), framed(secondId, avro(second, "{\"n\": 1}")));
            awaitLogged(mark, "cannot give schemas; trying again until it can");
            records().sendBytes(topic(), framed(secondId, avro(second, "{\"n\": 2}")));
            proxy.moveTo(url.getHost(), Ports.free());
            registry().start();
            registerAgain(firstId, secondId, first, second);
            proxy.moveTo(registry().url().getHost(), registry().url().getPort());

            awaitStored(0, 3);
            awaitLogged(mark, "can give schemas again");
            awaitCommitted(3);
            assertNoTaskFailed();
        }
    }

    /** The registry counts from 1 when it starts. */
    private void registerAgain(long firstId, long secondId, String first, String second) {
        long id = 0;
        for (int i = 0; id < firstId - 1; i++) {
            id = registry().register(topic() + "-filler-" + i, "AVRO", first);
        }
        assertThat(registry().register(topic() + "-first", "AVRO", first)).isEqualTo(firstId);
        assertThat(registry().register(topic() + "-second", "AVRO", second)).isEqualTo(secondId);
    }

    /** A record of an unknown schema is refused, and others are written. */
    @Test
    void refusesOnlyTheRecordsOfASchemaThatTheRegistryDoesNotHave() {
        Map<String, String> settings = new HashMap<>(avroWithoutAConverter());
        settings.put("errors.tolerance", "all");
        String schema = LONG.formatted("R");
        long mark = logMark();
        startSink(1, settings);
        records().sendBytes(topic(), framed(999_999, avro(schema, "{\"n\": 0}")));
        sendAvro(schema, "{\"n\": 1}");

        awaitStored(1, 2);
        awaitCommitted(2);
        awaitLogged(mark, "the schema registry has no schema 999999");
    }

    @Test
    void takesJsonWithASchemaOfConnectFromTheRegistry() throws IOException {
        Map<String, String> settings = new HashMap<>(converter(ApicurioRegistry.CONNECT_JSON_CONVERTER));
        settings.put("value.converter.replace.null.with.default", "false");
        startSink(1, settings);
        long id = registry().register(topic(), "KCONNECT", CONNECT_SCHEMA);
        records().sendJson(topic(), """
                {"schemaId": %d, "payload": {"n": 1, "byte": -7, "long": 9007199254740993, "double": -2.25, "yes": true,
                 "text": "ä€", "bytes": "AQID", "none": null, "usual": null, "list": ["a", null], "map": {"k": 3},
                 "price": "MDk=", "day": 16436, "time": 360000, "at": 1420070760000, "inner": {"levels": [1.5, 2.5]}}}
                """.formatted(id));

        assertStored("""
                {"n": 1, "byte": -7, "long": 9007199254740993, "double": -2.25, "yes": true,
                 "text": "ä€", "bytes": "AQID", "none": null, "usual": null, "list": ["a", null], "map": {"k": 3},
                 "price": 123.45, "day": "2015-01-01", "time": "00:06:00.000", "at": "2015-01-01T00:06:00.000Z",
                 "inner": {"levels": [1.5, 2.5]}}
                """);
    }

    private static final String CONNECT_SCHEMA = """
            {"type": "struct", "fields": [
              {"field": "n", "type": "int64"}, {"field": "byte", "type": "int8"}, {"field": "long", "type": "int64"},
              {"field": "double", "type": "double"}, {"field": "yes", "type": "boolean"},
              {"field": "text", "type": "string"}, {"field": "bytes", "type": "bytes"},
              {"field": "none", "type": "string", "optional": true},
              {"field": "usual", "type": "string", "optional": true, "default": "x"},
              {"field": "list", "type": "array", "items": {"type": "string", "optional": true}},
              {"field": "map", "type": "map", "keys": {"type": "string"}, "values": {"type": "int32"}},
              {"field": "price", "type": "bytes", "name": "org.apache.kafka.connect.data.Decimal", "version": 1,
               "parameters": {"scale": "2"}},
              {"field": "day", "type": "int32", "name": "org.apache.kafka.connect.data.Date", "version": 1},
              {"field": "time", "type": "int32", "name": "org.apache.kafka.connect.data.Time", "version": 1},
              {"field": "at", "type": "int64", "name": "org.apache.kafka.connect.data.Timestamp", "version": 1},
              {"field": "inner", "type": "struct", "fields": [
                {"field": "levels", "type": "array", "items": {"type": "double"}}]}]}
            """;

    private static final String JSON_SCHEMA = """
            {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
            """;

    @Test
    void takesJsonThatTheRegistrysDeserializerChecked() throws IOException {
        Map<String, String> settings = jsonSchema();
        settings.put("value.converter.apicurio.registry.deserializer.value.return-class", "java.util.LinkedHashMap");
        startSink(1, settings);
        long id = registry().register(topic(), "JSON", JSON_SCHEMA);
        String json = "{\"n\": 1, \"text\": \"ä€\", \"long\": 9007199254740993, \"double\": -2.25, \"none\": null,"
                + " \"list\": [{\"a\": true}, []]}";
        records().sendBytes(topic(), framed(id, json.getBytes(StandardCharsets.UTF_8)));

        assertStored(json);
    }

    @Test
    void refusesWhatADeserializerMadeThatIsNotConnectsData() {
        startSink(1, jsonSchema());
        long id = registry().register(topic(), "JSON", JSON_SCHEMA);
        records().sendBytes(topic(), framed(id, "{\"n\": 1}".getBytes(StandardCharsets.UTF_8)));

        await().atMost(SOON).untilAsserted(() -> assertThat(
                        rest().status(topic()).tasks().get(0).trace().orElse("running"))
                .contains("the value holds a com.fasterxml.jackson.databind.node.ObjectNode, which has no JSON form"));
    }

    private Map<String, String> jsonSchema() {
        String serde = "io.apicurio.registry.serde.jsonschema.JsonSchemaKafka";
        Map<String, String> settings = new HashMap<>(converter(ApicurioRegistry.SERDE_CONVERTER));
        settings.put("value.converter.apicurio.registry.converter.serializer", serde + "Serializer");
        settings.put("value.converter.apicurio.registry.converter.deserializer", serde + "Deserializer");
        return settings;
    }

    @Test
    void takesJsonBehindTheRegistrysFrameWithoutAConverter() throws IOException {
        startSink(1, Map.of());
        long id = registry().register(topic(), "JSON", "{\"type\": \"object\"}");
        records().sendBytes(topic(), framed(id, "{\"n\": 1}".getBytes(StandardCharsets.UTF_8)));

        assertStored("{\"n\": 1}");
    }
}
