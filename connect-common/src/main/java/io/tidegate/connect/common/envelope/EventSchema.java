package io.tidegate.connect.common.envelope;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.data.Schema;

/** What the schema of an event says about the row's columns. Pure. */
final class EventSchema {
    private EventSchema() {}

    /**
     * The columns with JSON as text, in the form of Kafka's JSON converter.
     *
     * @param schema of the whole event, or null as JSON
     * @throws io.tidegate.connect.common.value.RefusedException when it is not JSON
     */
    static List<byte[]> jsonColumnsOf(ByteSlice schema) {
        try (JsonParser parser = JsonText.FACTORY.createParser(schema.array(), schema.from(), schema.length())) {
            List<byte[]> columns = new ArrayList<>();
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                readEvent(parser, columns);
            }
            return List.copyOf(columns);
        } catch (JsonProcessingException e) {
            throw NotAnEvent.because("its `schema` is not JSON that can be read"); // Jackson's message quotes it
        } catch (IOException e) {
            throw new UncheckedIOException(e); // bytes in memory do not fail
        }
    }

    /** The same from a row's schema. */
    static List<byte[]> jsonColumnsOf(Schema row) {
        return row.fields().stream()
                .filter(field -> ChangeEvent.JSON_NAME.equals(field.schema().name()))
                .map(field -> field.name().getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    private static void readEvent(JsonParser parser, List<byte[]> columns) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean isFields = parser.currentName().equals("fields");
            if (parser.nextToken() == JsonToken.START_ARRAY && isFields) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    readPart(parser, columns);
                }
            } else {
                parser.skipChildren();
            }
        }
    }

    /** Reads {@code before}, {@code after} or another part; its name may come last. */
    private static void readPart(JsonParser parser, List<byte[]> columns) throws IOException {
        List<byte[]> ofPart = new ArrayList<>();
        String name = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken token = parser.nextToken();
            if (field.equals("fields") && token == JsonToken.START_ARRAY) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    readColumn(parser, ofPart);
                }
            } else if (field.equals("field") && token == JsonToken.VALUE_STRING) {
                name = parser.getText();
            } else {
                parser.skipChildren();
            }
        }
        if (name.equals("after")) {
            columns.addAll(ofPart);
        }
    }

    private static void readColumn(JsonParser parser, List<byte[]> columns) throws IOException {
        String column = "";
        boolean isJson = false;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken token = parser.nextToken();
            if (field.equals("name") && token == JsonToken.VALUE_STRING) {
                isJson = parser.getText().equals(ChangeEvent.JSON_NAME);
            } else if (field.equals("field") && token == JsonToken.VALUE_STRING) {
                column = parser.getText();
            } else {
                parser.skipChildren();
            }
        }
        if (isJson) {
            columns.add(column.getBytes(StandardCharsets.UTF_8));
        }
    }
}
