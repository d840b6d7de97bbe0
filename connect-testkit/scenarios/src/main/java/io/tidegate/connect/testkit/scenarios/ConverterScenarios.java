package io.tidegate.connect.testkit.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.Ports;
import io.tidegate.connect.testkit.registry.ApicurioRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Values of a real schema registry: Avro and JSON through the registry's converters, from their own plugin folder, and
 * JSON behind the registry's frame without a converter.
 */
public abstract class ConverterScenarios extends SinkHarness {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String LONG =
            "{\"type\": \"record\", \"name\": \"%s\", \"fields\": [{\"name\": \"n\", \"type\": \"long\"}]}";

    private final ApicurioRegistry registry = ApicurioRegistry.create();
    private final Path plugins = Folders.temporary("plugins");

    protected ConverterScenarios() {}

    /** The folder that contains the sink's plugin folder. */
    protected abstract Path sinkPluginPath();

    /** The sink and the converters, each in its folder. */
    @Override
    protected final Path pluginPath() {
        try (Stream<Path> sinks = Files.list(sinkPluginPath())) {
            for (Path sink : sinks.toList()) {
                Files.createSymbolicLink(plugins.resolve(sink.getFileName()), sink.toAbsolutePath());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ApicurioRegistry.linkConverters(plugins.resolve("apicurio-converters"));
        return plugins;
    }

    @BeforeAll
    final void startRegistry() {
        registry.start();
    }

    @AfterAll
    final void closeRegistry() {
        registry.close();
        Folders.delete(plugins);
    }

    private Map<String, String> avro() {
        return converter(ApicurioRegistry.AVRO_CONVERTER);
    }

    private Map<String, String> converter(String type) {
        return Map.of(
                "value.converter",
                type,
                "value.converter.apicurio.registry.url",
                registry.url().toString());
    }

    /** Settings for values in Avro that the sink reads itself. */
    protected final Map<String, String> avroWithoutAConverter() {
        return Map.of(
                "value.format", "avro", "schema.registry.url", registry.url().toString());
    }

    @Test
    void takesEveryTypeOfAvro() throws IOException {
        takesEveryType(avro());
    }

    @Test
    void takesEveryTypeOfAvroWithoutAConverter() throws IOException {
        takesEveryType(avroWithoutAConverter());
    }

    private void takesEveryType(Map<String, String> settings) throws IOException {
        startSink(1, settings);
        sendEveryType();

        assertStored("""
                {"n": 1, "int": -7, "long": 9007199254740993, "float": 1.5, "double": -2.25, "yes": true, "text": "ä€",
                 "bytes": "AQID", "fixed": "BAU=", "kind": "EBB", "list": ["a", "b"],
                 "map": {"k": 3}, "none": null, "some": "s", "either": {"string": null, "long": 5},
                 "price": 123.45, "day": "2015-01-01", "time": "00:06:00.000", "at": "2015-01-01T00:06:00.000Z",
                 "uuid": "b7b4a7f0-9c96-4e4a-a687-fb5de9ef0c63", "inner": {"levels": [1.5, 2.5]}}
                """);
    }

    /** Sends a record in Avro with a field of each type. */
    protected final void sendEveryType() {
        sendAvro(TYPES, """
                {"n": 1, "int": -7, "long": 9007199254740993, "float": 1.5, "double": -2.25, "yes": true, "text": "ä€",
                 "bytes": "\\u0001\\u0002\\u0003", "fixed": "\\u0004\\u0005", "kind": "EBB", "list": ["a", "b"],
                 "map": {"k": 3}, "none": null, "some": {"string": "s"}, "either": {"long": 5},
                 "price": "\\u0030\\u0039", "day": 16436, "time": 360000, "at": 1420070760000,
                 "uuid": "b7b4a7f0-9c96-4e4a-a687-fb5de9ef0c63", "inner": {"levels": [1.5, 2.5]}}
                """);
    }

    private static final String TYPES = """
            {"type": "record", "name": "Types", "fields": [
              {"name": "n", "type": "long"}, {"name": "int", "type": "int"}, {"name": "long", "type": "long"},
              {"name": "float", "type": "float"}, {"name": "double", "type": "double"},
              {"name": "yes", "type": "boolean"}, {"name": "text", "type": "string"}, {"name": "bytes", "type": "bytes"},
              {"name": "fixed", "type": {"type": "fixed", "name": "Two", "size": 2}},
              {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["FLOOD", "EBB"]}},
              {"name": "list", "type": {"type": "array", "items": "string"}},
              {"name": "map", "type": {"type": "map", "values": "int"}},
              {"name": "none", "type": ["null", "string"], "default": null},
              {"name": "some", "type": ["null", "string"], "default": null},
              {"name": "either", "type": ["string", "long"]},
              {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
              {"name": "day", "type": {"type": "int", "logicalType": "date"}},
              {"name": "time", "type": {"type": "int", "logicalType": "time-millis"}},
              {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
              {"name": "uuid", "type": {"type": "string", "logicalType": "uuid"}},
              {"name": "inner", "type": {"type": "record", "name": "Inner", "fields": [
                {"name": "levels", "type": {"type": "array", "items": "double"}}]}}]}
            """;

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

    /**
     * The schema of the second record is new to the task, so it has to wait for the registry. The registry forgets its
     * schemas when it stops: the sink reaches it only when it has them again.
     */
    @Test
    void waitsForARegistryThatIsDownAndLosesNothing() {
        String first = LONG.formatted("First");
        String second = LONG.formatted("Second");
        URI url = registry.url();
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
            long firstId = registry.register(topic() + "-first", "AVRO", first);
            long secondId = registry.register(topic() + "-second", "AVRO", second);
            long mark = logMark();

            registry.stop();
            records().sendBytes(topic(), framed(secondId, avro(second, "{\"n\": 1}")));
            awaitLogged(mark, "cannot give schemas; trying again until it can");
            records().sendBytes(topic(), framed(secondId, avro(second, "{\"n\": 2}")));
            proxy.moveTo(url.getHost(), Ports.free());
            registry.start();
            registerAgain(firstId, secondId, first, second);
            proxy.moveTo(registry.url().getHost(), registry.url().getPort());

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
            id = registry.register(topic() + "-filler-" + i, "AVRO", first);
        }
        assertThat(registry.register(topic() + "-first", "AVRO", first)).isEqualTo(firstId);
        assertThat(registry.register(topic() + "-second", "AVRO", second)).isEqualTo(secondId);
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
        long id = registry.register(topic(), "KCONNECT", CONNECT_SCHEMA);
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
        long id = registry.register(topic(), "JSON", JSON_SCHEMA);
        String json = "{\"n\": 1, \"text\": \"ä€\", \"long\": 9007199254740993, \"double\": -2.25, \"none\": null,"
                + " \"list\": [{\"a\": true}, []]}";
        records().sendBytes(topic(), framed(id, json.getBytes(StandardCharsets.UTF_8)));

        assertStored(json);
    }

    @Test
    void refusesWhatADeserializerMadeThatIsNotConnectsData() {
        startSink(1, jsonSchema());
        long id = registry.register(topic(), "JSON", JSON_SCHEMA);
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
        long id = registry.register(topic(), "JSON", "{\"type\": \"object\"}");
        records().sendBytes(topic(), framed(id, "{\"n\": 1}".getBytes(StandardCharsets.UTF_8)));

        assertStored("{\"n\": 1}");
    }

    /** Writes a record as the registry's serializer does: byte 0, the id in 8 bytes, Avro. */
    private void sendAvro(String schema, String json) {
        records().sendBytes(topic(), framed(registry.register(topic(), "AVRO", schema), avro(schema, json)));
    }

    private static byte[] avro(String schema, String json) {
        Schema parsed = new Schema.Parser().parse(schema);
        try {
            Object value = new GenericDatumReader<>(parsed)
                    .read(null, DecoderFactory.get().jsonDecoder(parsed, json));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
            new GenericDatumWriter<>(parsed).write(value, encoder);
            encoder.flush();
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // bytes in memory do not fail
        }
    }

    private static byte[] framed(long id, byte[] payload) {
        return ByteBuffer.allocate(1 + Long.BYTES + payload.length)
                .put((byte) 0)
                .putLong(id)
                .put(payload)
                .array();
    }

    private void assertStored(String expected) throws JsonProcessingException {
        awaitFirstStored();
        assertThat(store().object(topic(), 1)).isEqualTo(MAPPER.readTree(expected));
        assertThat(store().numbers(topic())).containsExactly(1L);
        assertNoTaskFailed();
    }
}
