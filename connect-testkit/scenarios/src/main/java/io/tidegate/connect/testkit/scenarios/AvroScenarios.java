package io.tidegate.connect.testkit.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.registry.ApicurioRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * Values in Avro with schemas of a real schema registry: through the registry's converter, from its own plugin folder, and
 * without a converter.
 */
public abstract class AvroScenarios extends SinkHarness {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ApicurioRegistry registry = ApicurioRegistry.create();
    private final Path plugins = Folders.temporary("plugins");

    protected AvroScenarios() {}

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

    final ApicurioRegistry registry() {
        return registry;
    }

    final Map<String, String> avro() {
        return converter(ApicurioRegistry.AVRO_CONVERTER);
    }

    final Map<String, String> converter(String type) {
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

    /** Writes a record as the registry's serializer does: byte 0, the id in 8 bytes, Avro. */
    final void sendAvro(String schema, String json) {
        records().sendBytes(topic(), framed(registry.register(topic(), "AVRO", schema), avro(schema, json)));
    }

    static byte[] avro(String schema, String json) {
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

    static byte[] framed(long id, byte[] payload) {
        return ByteBuffer.allocate(1 + Long.BYTES + payload.length)
                .put((byte) 0)
                .putLong(id)
                .put(payload)
                .array();
    }

    /** As Apicurio's serializers write it from 3.x on. */
    static byte[] framedShort(long id, byte[] payload) {
        return ByteBuffer.allocate(1 + Integer.BYTES + payload.length)
                .put((byte) 0)
                .putInt(Math.toIntExact(id))
                .put(payload)
                .array();
    }

    final void assertStored(String expected) throws JsonProcessingException {
        awaitFirstStored();
        assertThat(store().object(topic(), 1)).isEqualTo(MAPPER.readTree(expected));
        assertThat(store().numbers(topic())).containsExactly(1L);
        assertNoTaskFailed();
    }
}
