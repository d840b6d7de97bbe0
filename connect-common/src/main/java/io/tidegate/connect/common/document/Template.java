package io.tidegate.connect.common.document;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.common.value.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Text with places that a record fills: <code>logs-${topic}-${timestamp:yyyy.MM.dd}</code>. What is filled in is never
 * read as a template again. Immutable.
 *
 * <table>
 * <caption>Places</caption>
 * <tr><td><code>${topic}</code><td>the record's topic, after the transforms
 * <tr><td><code>${1}</code>, <code>${name}</code><td>a group of the regular expression over the topic; empty when it
 *     took no part in the match
 * <tr><td><code>${timestamp:yyyy.MM.dd}</code><td>the record's time in UTC (its timestamp, unless {@link
 *     RecordFields} has another), by {@link java.time.format.DateTimeFormatter}'s letters
 * <tr><td><code>${key}</code><td>the record's key: a string, a number, a boolean or UTF-8 bytes
 * <tr><td><code>${header:name}</code><td>the last header of this name, likewise
 * <tr><td><code>${field:$.a.b}</code><td>a string, number or boolean of the record's value
 * </table>
 */
public final class Template {
    private static final String OPENING = "${";

    /** Braces in quotes belong to the place: date patterns and paths quote with {@code '}. */
    private static final Pattern PLACE = Pattern.compile("\\$\\{(?:[^'}]|'[^']*')*}");

    private static final Pattern GROUP_NAME = Pattern.compile("[0-9]{1,3}|[a-zA-Z][a-zA-Z0-9]*");

    private final String text;
    private final List<Part> parts;
    private final String onlyField;

    /** What a piece of a template is. */
    private enum Kind {
        LITERAL,
        TOPIC,
        GROUP,
        TIMESTAMP,
        KEY,
        HEADER,
        FIELD
    }

    /**
     * A piece of a template.
     *
     * @param argument the text of a literal, the name of a group or header, the path of a field
     */
    private record Part(Kind kind, String argument, Filling filling) {
        boolean isOfTopicOnly() {
            return kind == Kind.LITERAL || kind == Kind.TOPIC || kind == Kind.GROUP;
        }
    }

    /** The text of a piece for a record. It throws {@link RefusedException} when the record lacks it. */
    private interface Filling {
        String of(SinkRecord record, Optional<Matcher> topicMatch, RecordFields fields);
    }

    private Template(String text, List<Part> parts) {
        this.text = requireNonNull(text, "text");
        this.parts = List.copyOf(parts);
        List<String> path = parts.size() == 1 && parts.get(0).kind() == Kind.FIELD
                ? JsonPath.parse(parts.get(0).argument()).stepTexts()
                : List.of();
        this.onlyField = path.size() == 1 ? path.get(0) : "";
    }

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    public static Template parse(String text) {
        List<Part> parts = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = endOfPlace(text, at);
            if (end > at) {
                parts.add(place(text.substring(at + OPENING.length(), end - 1)));
            } else {
                int next = text.indexOf(OPENING, at);
                end = next < 0 ? text.length() : next;
                String literal = text.substring(at, end);
                parts.add(new Part(Kind.LITERAL, literal, (record, match, fields) -> literal));
            }
            at = end;
        }
        return new Template(text, parts);
    }

    /**
     * The end of the place that starts at this index of a template. It is for parsers of a text with several templates:
     * a separator inside a place does not separate.
     *
     * @return the index behind its closing brace, or the index itself when no place starts there
     * @throws IllegalArgumentException when the place is not closed
     */
    public static int endOfPlace(String text, int at) {
        if (!text.startsWith(OPENING, at)) {
            return at;
        }
        Matcher place = PLACE.matcher(text).region(at, text.length());
        if (!place.lookingAt()) {
            throw new IllegalArgumentException("`" + text.substring(at) + "` has no closing brace");
        }
        return place.end();
    }

    /** Whether <code>${kind:argument}</code> is a place of a template, and no reference to a configuration provider. */
    public static boolean takesArgument(String kind) {
        return kind.equals("timestamp") || kind.equals("header") || kind.equals("field");
    }

    private static Part place(String inner) {
        int colon = inner.indexOf(':');
        String kind = colon < 0 ? inner : inner.substring(0, colon);
        String argument = colon < 0 ? "" : inner.substring(colon + 1);
        if (takesArgument(kind) == argument.isEmpty() || (colon >= 0 && argument.isEmpty())) {
            throw unknown(inner);
        }
        return switch (kind) {
            case "topic" -> new Part(Kind.TOPIC, "", (record, match, fields) -> record.topic());
            case "key" -> new Part(Kind.KEY, "", (record, match, fields) -> keyOf(record));
            case "timestamp" -> {
                TimestampText timestamp = new TimestampText(argument);
                yield new Part(
                        Kind.TIMESTAMP,
                        argument,
                        (record, match, fields) -> timestamp.of(fields.timeOf(record)
                                .orElseThrow(() -> new RefusedException("the record has no timestamp"))
                                .toEpochMilli()));
            }
            case "header" -> new Part(Kind.HEADER, argument, (record, match, fields) -> header(record, argument));
            case "field" -> {
                JsonPath path = JsonPath.parse(argument);
                yield new Part(
                        Kind.FIELD,
                        argument,
                        (record, match, fields) -> ScalarText.of("the field " + path, fields.get(record, path)));
            }
            default -> {
                if (!GROUP_NAME.matcher(inner).matches()) {
                    throw unknown(inner);
                }
                yield new Part(Kind.GROUP, inner, (record, match, fields) -> group(match.orElseThrow(), inner)
                        .orElse("")); // the group is optional in the expression
            }
        };
    }

    private static IllegalArgumentException unknown(String inner) {
        return new IllegalArgumentException("`${" + inner + "}` is none of ${topic}, ${timestamp:yyyy.MM.dd}, ${key},"
                + " ${header:name}, ${field:$.path}, or a group of the topic's regular expression such as ${1}");
    }

    private static String keyOf(SinkRecord record) {
        if (FramedKeys.contain(record.key())) {
            throw new RefusedException(FramedKeys.REASON);
        }
        return ScalarText.of("the key", record.key());
    }

    private static String header(SinkRecord record, String name) {
        Header header = record.headers().lastWithName(name);
        if (header == null) {
            throw new RefusedException("the record has no header " + name);
        }
        return ScalarText.of("the header " + name, header.value());
    }

    private static Optional<String> group(Matcher match, String name) {
        return Optional.ofNullable(
                Character.isDigit(name.charAt(0)) ? match.group(Integer.parseInt(name)) : match.group(name));
    }

    /** The text with this filling in every place, to check what can be checked without a record. */
    public String sample(String filling) {
        return parts.stream()
                .map(part -> part.kind() == Kind.LITERAL ? part.argument() : filling)
                .collect(Collectors.joining());
    }

    /** The fields of the record's value that the template needs. */
    public Set<JsonPath> fields() {
        return parts.stream()
                .filter(part -> part.kind() == Kind.FIELD)
                .map(part -> JsonPath.parse(part.argument()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The first-level field that is all of the text; empty if there is more or something else. */
    public String onlyField() {
        return onlyField;
    }

    /**
     * Whether a record that has no value has all parts besides its time.
     *
     * @param tombstone such a record
     */
    public boolean isOf(SinkRecord tombstone) {
        return parts.stream().allMatch(part -> switch (part.kind()) {
            case FIELD -> false;
            case HEADER -> tombstone.headers().lastWithName(part.argument()) != null;
            default -> true;
        });
    }

    /** Whether the text depends on the record's time. */
    public boolean isOfTime() {
        return parts.stream().anyMatch(part -> part.kind() == Kind.TIMESTAMP);
    }

    /** Whether the text depends on the record's key. */
    public boolean isOfKey() {
        return parts.stream().anyMatch(part -> part.kind() == Kind.KEY);
    }

    /** Whether the text has the record's whole topic. */
    public boolean hasTopic() {
        return parts.stream().anyMatch(part -> part.kind() == Kind.TOPIC);
    }

    /** Whether all records give the same text. */
    public boolean isFixed() {
        return parts.stream().allMatch(part -> part.kind() == Kind.LITERAL);
    }

    /** Whether all records of a topic give the same text. */
    public boolean isOfTopicOnly() {
        return parts.stream().allMatch(Part::isOfTopicOnly);
    }

    /**
     * Checks that this expression has every group that the template names.
     *
     * @throws IllegalArgumentException with the group that is missing
     */
    public void checkGroups(Optional<Pattern> topicPattern) {
        Optional<Matcher> anyMatch = topicPattern.map(Template::emptyMatch);
        for (Part part : parts) {
            if (part.kind() == Kind.GROUP) {
                String place = "`${" + part.argument() + "}` is ";
                Matcher match = anyMatch.orElseThrow(() -> new IllegalArgumentException(
                        place + "a group of the topic's regular expression, and none applies here"));
                try {
                    group(match, part.argument());
                } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                    throw new IllegalArgumentException(place + "no group of the topic's regular expression", e);
                }
            }
        }
    }

    /** A match with the same groups, all empty. Java 17 has no other way to list a pattern's groups. */
    private static Matcher emptyMatch(Pattern pattern) {
        Matcher matcher =
                Pattern.compile("|" + pattern.pattern(), pattern.flags()).matcher("");
        if (!matcher.matches()) {
            throw new IllegalStateException("an empty alternative matches everything empty");
        }
        return matcher;
    }

    /**
     * The text of a template without groups for a record.
     *
     * @param fields has all of {@link #fields()}
     * @throws RefusedException when the record lacks a part, with the part's name
     */
    public String fill(SinkRecord record, RecordFields fields) {
        return fill(record, Optional.empty(), fields);
    }

    /**
     * The text for a record.
     *
     * @param topicMatch the match of the regular expression with the record's topic, where there is an expression
     * @param fields has all of {@link #fields()}
     * @throws RefusedException when the record lacks a part, with the part's name
     */
    String fill(SinkRecord record, Optional<Matcher> topicMatch, RecordFields fields) {
        StringBuilder filled = new StringBuilder();
        for (Part part : parts) {
            filled.append(part.filling().of(record, topicMatch, fields));
        }
        return filled.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Template template && text.equals(template.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** As it was written. */
    @Override
    public String toString() {
        return text;
    }
}
