package io.tidegate.connect.common.document;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.JsonPath;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
    private final String text;
    private final List<TemplatePart> parts;

    private Template(String text, List<TemplatePart> parts) {
        this.text = requireNonNull(text, "text");
        this.parts = List.copyOf(parts);
    }

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    public static Template parse(String text) {
        return new Template(text, TemplateParser.parse(text));
    }

    /**
     * The end of the place that starts at this index of a template. It is for parsers of a text with several templates:
     * a separator inside a place does not separate.
     *
     * @return the index behind its closing brace, or the index itself when no place starts there
     * @throws IllegalArgumentException when the place is not closed
     */
    public static int endOfPlace(String text, int at) {
        return TemplateParser.endOfPlace(text, at);
    }

    /** Whether <code>${kind:argument}</code> is a place of a template, and no reference to a configuration provider. */
    public static boolean takesArgument(String kind) {
        return TemplateParser.takesArgument(kind);
    }

    /** The text with this filling in every place, to check what can be checked without a record. */
    public String sample(String filling) {
        return parts.stream()
                .map(part -> part instanceof TemplatePart.Literal literal ? literal.text() : filling)
                .collect(Collectors.joining());
    }

    /** The fields of the record's value that the template needs. */
    public Set<JsonPath> fields() {
        return parts.stream()
                .filter(TemplatePart.OfField.class::isInstance)
                .map(part -> ((TemplatePart.OfField) part).path())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the text depends on the record's time. */
    public boolean isOfTime() {
        return parts.stream().anyMatch(TemplatePart.OfTimestamp.class::isInstance);
    }

    /** Whether all records give the same text. */
    public boolean isFixed() {
        return parts.stream().allMatch(TemplatePart.Literal.class::isInstance);
    }

    /** Whether all records of a topic give the same text. */
    public boolean isOfTopicOnly() {
        return parts.stream().allMatch(TemplatePart::isOfTopicOnly);
    }

    /**
     * Checks that this expression has every group that the template names.
     *
     * @throws IllegalArgumentException with the group that is missing
     */
    public void checkGroups(Optional<Pattern> topicPattern) {
        Optional<Matcher> anyMatch = topicPattern.map(Template::emptyMatch);
        parts.stream().filter(TemplatePart.OfGroup.class::isInstance).forEach(part -> ((TemplatePart.OfGroup) part)
                .check(anyMatch));
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
     * @throws io.tidegate.connect.common.value.RefusedException when the record lacks a part, with the part's name
     */
    public String fill(SinkRecord record, RecordFields fields) {
        return fill(record, Optional.empty(), fields);
    }

    /**
     * The text for a record.
     *
     * @param topicMatch the match of the regular expression with the record's topic, where there is an expression
     * @param fields has all of {@link #fields()}
     * @throws io.tidegate.connect.common.value.RefusedException when the record lacks a part, with the part's name
     */
    String fill(SinkRecord record, Optional<Matcher> topicMatch, RecordFields fields) {
        StringBuilder filled = new StringBuilder();
        for (TemplatePart part : parts) {
            filled.append(part.of(record, topicMatch, fields));
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
