package io.tidegate.connect.tools.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.Map;

/** The output of {@code --json}: one object on standard output. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Strings and numbers by name, in one line. */
    public static String line(Map<String, Object> values) {
        try {
            return MAPPER.writeValueAsString(values);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes an object, indented, and flushes. */
    public static void write(PrintWriter out, ObjectNode object) {
        try {
            out.println(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(object));
            out.flush();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
