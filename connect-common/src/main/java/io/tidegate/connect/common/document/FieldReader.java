package io.tidegate.connect.common.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.tidegate.connect.common.document.FieldValue.Kind;
import io.tidegate.connect.common.document.JsonPath.Element;
import io.tidegate.connect.common.document.JsonPath.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a few values of a JSON document in one pass. It skips all other values, does not read beyond the last requested
 * value, and builds no tree. If a path occurs more than once, the first value counts. Immutable; any thread.
 */
public final class FieldReader {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // it fills a table of the whole JVM with skipped names
            .streamReadConstraints(StreamReadConstraints.builder() // Kafka and the server set the bounds
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final List<JsonPath> paths;
    private final Branch root = new Branch();

    /**
     * A reader of these values.
     *
     * @param paths at least one, each once
     */
    public FieldReader(List<JsonPath> paths) {
        this.paths = List.copyOf(paths);
        if (this.paths.isEmpty()) {
            throw new IllegalArgumentException("there is nothing to read");
        }
        for (int slot = 0; slot < this.paths.size(); slot++) {
            Branch branch = root;
            for (Step step : this.paths.get(slot).steps()) {
                branch = branch.child(step);
            }
            if (branch.slot != Branch.NO_SLOT) {
                throw new IllegalArgumentException(paths.get(slot) + " is named twice");
            }
            branch.slot = slot;
        }
    }

    /** In the order of the values that {@link #read} returns. */
    public List<JsonPath> paths() {
        return paths;
    }

    /**
     * The values of a document, in the order of {@link #paths()}. They share the document's bytes.
     *
     * @param json in UTF-8; what follows the last requested value is not checked
     * @throws RefusedException when it is not JSON up to there
     */
    public List<FieldValue> read(ByteSlice json) {
        try (JsonParser parser = FACTORY.createParser(json.array(), json.from(), json.length())) {
            Pass pass = new Pass(parser, json, paths.size());
            if (parser.nextToken() == null) {
                throw new RefusedException("the value is empty, and that is not JSON");
            }
            pass.read(root);
            return pass.values();
        } catch (JsonProcessingException e) {
            // Leaves out Jackson's message and the exception, because they quote the value.
            throw new RefusedException("the value is not JSON that can be read, at byte "
                    + (e.getLocation() == null ? 0 : e.getLocation().getByteOffset()));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // bytes in memory do not fail
        }
    }

    /** The paths as a tree; only the reader's constructor changes it. */
    private static final class Branch {
        static final int NO_SLOT = -1;

        final Map<String, Branch> fields = new HashMap<>();
        final Map<Integer, Branch> elements = new HashMap<>();
        int slot = NO_SLOT; // the index of the value at this place

        Branch child(Step step) {
            return step instanceof Element element
                    ? elements.computeIfAbsent(element.index(), any -> new Branch())
                    : fields.computeIfAbsent(step.text(), any -> new Branch());
        }
    }

    /** One document being read. */
    private static final class Pass {
        private final JsonParser parser;
        private final ByteSlice json;
        private final FieldValue[] values;
        private int missing;

        Pass(JsonParser parser, ByteSlice json, int paths) {
            this.parser = parser;
            this.json = json;
            this.values = new FieldValue[paths];
            this.missing = paths;
            Arrays.fill(values, FieldValue.MISSING);
        }

        List<FieldValue> values() {
            return Collections.unmodifiableList(Arrays.asList(values));
        }

        /** Reads from a value's first token to its last, or to the last requested value. */
        void read(Branch branch) throws IOException {
            boolean wanted = branch.slot != Branch.NO_SLOT && values[branch.slot] == FieldValue.MISSING;
            long from = wanted ? parser.currentTokenLocation().getByteOffset() : 0;
            JsonToken token = parser.currentToken();
            if (token == JsonToken.START_OBJECT) {
                readFields(branch);
            } else if (token == JsonToken.START_ARRAY) {
                readElements(branch);
            }
            if (wanted) {
                values[branch.slot] = value(token, from);
                missing--;
            }
        }

        private void readFields(Branch branch) throws IOException {
            if (branch.fields.isEmpty()) {
                parser.skipChildren();
                return;
            }
            while (missing > 0 && parser.nextToken() == JsonToken.FIELD_NAME) {
                Branch child = branch.fields.get(parser.currentName());
                parser.nextToken();
                readOrSkip(child);
            }
        }

        private void readElements(Branch branch) throws IOException {
            if (branch.elements.isEmpty()) {
                parser.skipChildren();
                return;
            }
            for (int i = 0; missing > 0 && parser.nextToken() != JsonToken.END_ARRAY; i++) {
                readOrSkip(branch.elements.get(i));
            }
        }

        private void readOrSkip(Branch child) throws IOException {
            if (child == null) {
                parser.skipChildren();
            } else {
                read(child);
            }
        }

        private FieldValue value(JsonToken first, long from) throws IOException {
            if (from < 0) {
                throw new RefusedException("the value is not UTF-8");
            }
            String text = first == JsonToken.VALUE_STRING ? parser.getText() : "";
            parser.finishToken();
            long to = first.isNumeric()
                    ? from + parser.getTextLength() // after a number the parser may have looked ahead
                    : parser.currentLocation().getByteOffset();
            ByteSlice value = ByteSlice.of(json.array(), json.from() + (int) from, json.from() + (int) to);
            return switch (first) {
                case VALUE_STRING -> FieldValue.string(text, value);
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> FieldValue.of(Kind.NUMBER, value);
                case VALUE_TRUE, VALUE_FALSE -> FieldValue.of(Kind.BOOLEAN, value);
                case START_OBJECT -> FieldValue.of(Kind.OBJECT, value);
                case START_ARRAY -> FieldValue.of(Kind.ARRAY, value);
                default -> FieldValue.of(Kind.NULL, value);
            };
        }
    }
}
