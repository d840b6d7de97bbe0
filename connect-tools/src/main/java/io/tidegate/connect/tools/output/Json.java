package io.tidegate.connect.tools.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.Map;

/** The output of {@code --json}, as the reference page "JSON of the tools" has it. */
public final class Json {
    /** Raised when a member is removed or means something else. Members may be added. */
    static final int VERSION = 1;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    /** The beginning of a result, with the version. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode().put("version", VERSION);
    }

    /** Strings and numbers by name, in one line. */
    public static String line(Map<String, Object> values) {
        try {
            return MAPPER.writeValueAsString(values);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes the result of a command, indented, and flushes. */
    public static void write(PrintWriter out, ObjectNode object) {
        out.println(object.toPrettyString());
        out.flush();
    }

    /** Writes one of a command's many results in a line, and flushes. */
    public static void writeLine(PrintWriter out, ObjectNode object) {
        out.println(object);
        out.flush();
    }
}
