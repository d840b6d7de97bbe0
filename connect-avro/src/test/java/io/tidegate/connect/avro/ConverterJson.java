package io.tidegate.connect.avro;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.apicurio.registry.utils.converter.avro.AvroData;
import io.tidegate.connect.common.document.JsonEncoder;
import io.tidegate.connect.common.value.ByteSlice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.connect.data.SchemaAndValue;

/** What the sinks write of a value that the registry's converter delivers. */
final class ConverterJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    /** Avro 1.12.0 keeps an array of doubles as floats. */
    private static final GenericData ORDINARY_ARRAYS = new GenericData() {
        @Override
        public Object newArray(Object old, int size, Schema schema) {
            return new Array<>(size, schema);
        }
    };

    private final Schema schema;
    private final AvroData converter = new AvroData(10);
    private final JsonEncoder encoder = new JsonEncoder();

    ConverterJson(Schema schema) {
        this.schema = schema;
    }

    ByteSlice of(byte[] payload) throws IOException {
        Object value = new GenericDatumReader<>(schema, schema, ORDINARY_ARRAYS)
                .read(null, DecoderFactory.get().binaryDecoder(payload, null));
        SchemaAndValue converted = converter.toConnectData(schema, value);
        return encoder.encode(converted.schema(), converted.value());
    }

    /** Connect's schema, as the converter gives it. */
    org.apache.kafka.connect.data.Schema schema() {
        return converter.toConnectSchema(schema);
    }

    /** The document without an order of its fields; numbers as they are written. */
    static Object parsed(ByteSlice json) {
        try (JsonParser parser = FACTORY.createParser(json.array(), json.from(), json.length())) {
            parser.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
            parser.nextToken();
            Object parsed = next(parser);
            if (parser.nextToken() != null) {
                throw new IllegalStateException("more than one value");
            }
            return parsed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Object next(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> fields = new TreeMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    fields.put(name, next(parser));
                }
                yield fields;
            }
            case START_ARRAY -> {
                List<Object> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(next(parser));
                }
                yield items;
            }
            case VALUE_STRING -> '"' + parser.getText();
            default -> parser.getText();
        };
    }
}
