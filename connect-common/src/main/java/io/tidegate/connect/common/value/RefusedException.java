package io.tidegate.connect.common.value;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Why one record cannot be written: a reason for humans, and facts for programs; never the content. Immutable. It has
 * no stack trace, because the fault is in the data and not in this code.
 */
public final class RefusedException extends ConnectException {
    /** The first fact: the kind of fault, in one word. */
    public static final String KIND = "kind";

    /** The kind of a record that cannot become a document, so that no server ever saw it. */
    public static final String UNUSABLE = "unusable";

    private static final long serialVersionUID = 1L;
    private static final JsonFactory JSON = new JsonFactory();

    private final transient Map<String, Object> facts;

    /**
     * A fault that the sink found before it sent anything.
     *
     * @param reason what is wrong with the record and which rule says so
     */
    public RefusedException(String reason) {
        this(reason, Map.of(KIND, UNUSABLE), Optional.empty());
    }

    /**
     * A fault that a parser found before anything was sent.
     *
     * @param reason what is wrong with the record, in the parser's own words if it has some
     * @param cause the parser's own error
     */
    public RefusedException(String reason, Throwable cause) {
        this(reason, Map.of(KIND, UNUSABLE), Optional.of(cause));
    }

    private RefusedException(String message, Map<String, Object> facts, Optional<Throwable> cause) {
        super(message, cause.orElse(null));
        this.facts = Collections.unmodifiableMap(facts);
    }

    /**
     * A fault that a server found. It has no cause, because drivers repeat the row in their errors.
     *
     * @param kind the kind of fault, in one word
     * @param reason what is wrong with the record, in the server's own words if it has some
     */
    public static RefusedException of(String kind, String reason) {
        return new RefusedException(reason, Map.of(KIND, kind), Optional.empty());
    }

    /** The same with one more fact; an empty fact is left out. */
    public RefusedException with(String fact, String value) {
        return value.isEmpty() ? this : and(fact, value);
    }

    /** The same with one more fact. */
    public RefusedException with(String fact, long value) {
        return and(fact, value);
    }

    private RefusedException and(String fact, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(facts);
        more.put(fact, value);
        return new RefusedException(getMessage(), more, Optional.ofNullable(getCause()));
    }

    /** Strings and whole numbers by name, in the order in which they were added. */
    public Map<String, Object> facts() {
        return facts;
    }

    /**
     * The same as it appears in a dead letter: its message ends with the facts as a JSON object. A sink cannot add
     * headers to the original record, but Connect writes the message to {@code __connect.errors.exception.message}.
     */
    public RefusedException asReported() {
        return new RefusedException(getMessage() + " " + json(), facts, Optional.ofNullable(getCause()));
    }

    private String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            for (Map.Entry<String, Object> fact : facts.entrySet()) {
                if (fact.getValue() instanceof Long number) {
                    out.writeNumberField(fact.getKey(), number);
                } else {
                    out.writeStringField(fact.getKey(), fact.getValue().toString());
                }
            }
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a buffer in memory does not fail
        }
        return text.toString();
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
