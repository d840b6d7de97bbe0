package io.tidegate.connect.common.value;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The place of one value in a JSON document, as {@code $.metadata.id}, {@code $.lines[0].sku} or {@code $['odd name']};
 * {@code metadata.id} is short for {@code $.metadata.id}. A path names at most one value: there are no wildcards,
 * filters or searches. Immutable.
 */
public final class JsonPath {
    /** No server accepts a deeper document: PostgreSQL and Elasticsearch stop long before. */
    private static final int MAX_STEPS = 100;

    private static final String PLAIN_NAME = "[\\p{javaLetterOrDigit}_@:/-]+";
    private static final Pattern STEP = Pattern.compile(
            "\\.(?<plain>" + PLAIN_NAME + ")"
                    + "|\\[(?<index>[0-9]{1,9})]" // fits an int
                    + "|\\[(?<quote>['\"])(?<quoted>(?:\\\\.|(?!\\k<quote>)[^\\\\])*)\\k<quote>]",
            Pattern.DOTALL);

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
        String path = text.trim();
        String rest = path.startsWith("$") ? path.substring(1) : "." + path;
        Matcher step = STEP.matcher(rest);
        List<Step> steps = new ArrayList<>();
        for (int at = 0; at < rest.length(); at = step.end()) {
            if (!step.region(at, rest.length()).lookingAt()) {
                throw wrong(
                        path,
                        "`.name`, `[0]` or `['odd name']` is expected at character "
                                + Math.max(1, at + 1 + path.length() - rest.length())
                                + "; without quotes a name has only letters, digits and _ - @ : /");
            }
            if (steps.size() == MAX_STEPS) {
                throw wrong(path, "it has more than " + MAX_STEPS + " steps");
            }
            steps.add(stepOf(step));
        }
        if (steps.isEmpty()) {
            throw wrong(path, "it names no field");
        }
        return new JsonPath(steps);
    }

    private static Step stepOf(Matcher step) {
        if (step.group("index") != null) {
            return new Element(Integer.parseInt(step.group("index")));
        }
        String plain = step.group("plain");
        return new Field(plain != null ? plain : step.group("quoted").replaceAll("(?s)\\\\(.)", "$1"));
    }

    private static IllegalArgumentException wrong(String path, String reason) {
        return new IllegalArgumentException("`" + path + "` is not a path: " + reason);
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
        return name.matches(PLAIN_NAME)
                ? "." + name
                : "['" + name.replace("\\", "\\\\").replace("'", "\\'") + "']";
    }
}
