package io.tidegate.connect.common.value;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The place of one value in a JSON document, as {@code $.metadata.id}, {@code $.lines[0].sku} or {@code $['odd name']};
 * {@code metadata.id} is short for {@code $.metadata.id}. A path names at most one value: there are no wildcards,
 * filters or searches. Immutable.
 */
public final class JsonPath {
    private final List<Step> steps;
    private final String text; // kept, because it is in the key of look-ups and of messages for each record

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
        this.text = this.steps.stream().map(JsonPath::rendered).collect(Collectors.joining("", "$", ""));
    }

    /** One step down: to a field of an object, or to an element of an array. */
    public sealed interface Step {
        /** The field's name, or the element's index in decimal, as PostgreSQL's {@code #>>} accepts it. */
        String text();
    }

    /** A field of an object. */
    public record Field(String name) implements Step {
        public Field {
            requireNonNull(name, "name");
        }

        @Override
        public String text() {
            return name;
        }
    }

    /** An element of an array, counted from 0. */
    public record Element(int index) implements Step {
        @Override
        public String text() {
            return Integer.toString(index);
        }
    }

    /**
     * Reads a path.
     *
     * @throws IllegalArgumentException with what is wrong and where
     */
    public static JsonPath parse(String text) {
        return new JsonPath(new JsonPathParser(text).steps());
    }

    /** At least one, from the root of the document. */
    public List<Step> steps() {
        return steps;
    }

    /** The steps as texts, for PostgreSQL's {@code #>} and {@code #>>}. */
    public List<String> stepTexts() {
        return steps.stream().map(Step::text).toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JsonPath path && text.equals(path.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The path in a form that {@link #parse} reads. Equal paths have the same form. */
    @Override
    public String toString() {
        return text;
    }

    private static String rendered(Step step) {
        if (step instanceof Element element) {
            return "[" + element.index() + "]";
        }
        String name = step.text();
        boolean plain = !name.isEmpty() && name.chars().allMatch(JsonPathParser::isPlain);
        return plain ? "." + name : "['" + name.replace("\\", "\\\\").replace("'", "\\'") + "']";
    }
}
