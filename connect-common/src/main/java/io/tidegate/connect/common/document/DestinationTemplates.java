package io.tidegate.connect.common.document;

import io.tidegate.connect.common.value.JsonPath;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * How destinations are named by the settings: by a topic's own template, or else by the common one. Each is a list of
 * templates, one for each part of a name (such as schema and table).
 *
 * @param common for topics without their own templates
 * @param byTopic for topics with their own templates
 * @param topicPattern must match the whole name of a topic without its own template; its groups fill the common
 *     template
 */
public record DestinationTemplates(
        List<Template> common, Map<String, List<Template>> byTopic, Optional<Pattern> topicPattern) {
    private static final String WAY_OUT =
            "; name it by the topic, the key or a header that deletions have too, or do not delete";

    /**
     * Checks the groups.
     *
     * @throws IllegalArgumentException when a template names a group that does not exist
     */
    public DestinationTemplates {
        common = List.copyOf(common);
        byTopic = Map.copyOf(byTopic);
        for (Template template : common) {
            template.checkGroups(topicPattern);
        }
        byTopic.values().forEach(own -> own.forEach(template -> template.checkGroups(Optional.empty())));
    }

    /** The same template for every topic. */
    public static DestinationTemplates of(Template... common) {
        return new DestinationTemplates(List.of(common), Map.of(), Optional.empty());
    }

    /**
     * Parses {@code topic:name} pairs.
     *
     * @throws IllegalArgumentException when one is not a pair or a topic is named twice
     */
    public static Map<String, String> pairs(List<String> pairs) {
        Map<String, String> names = new LinkedHashMap<>();
        for (String pair : pairs) {
            int colon = pair.indexOf(':');
            if (colon < 1 || pair.substring(colon + 1).isBlank()) {
                throw new IllegalArgumentException("each entry must be topic:name");
            }
            String topic = pair.substring(0, colon).trim();
            if (names.put(topic, pair.substring(colon + 1).trim()) != null) {
                throw new IllegalArgumentException("topic " + topic + " is named twice");
            }
        }
        return names;
    }

    /**
     * A regular expression over topics, or none when it is blank.
     *
     * @throws IllegalArgumentException with what is wrong and where
     */
    public static Optional<Pattern> topicPattern(String regex) {
        if (regex.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Pattern.compile(regex.trim()));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("`" + regex.trim() + "` is no regular expression: " + e.getDescription()
                    + " near character " + (e.getIndex() + 1));
        }
    }

    /** Whether all records of a topic have one destination. */
    public boolean isOfTopicOnly(String topic) {
        return ofTopic(topic).stream().allMatch(Template::isOfTopicOnly);
    }

    /** Whether all records of each topic have one destination. */
    public boolean areOfTopicOnly() {
        return all().allMatch(Template::isOfTopicOnly);
    }

    /**
     * Whether a record that has no value names its destination, up to the part of its time.
     *
     * @param tombstone such a record
     */
    public boolean isOf(SinkRecord tombstone) {
        return ofTopic(tombstone.topic()).stream().allMatch(template -> template.isOf(tombstone));
    }

    /** Whether a record's time names its destination. */
    public boolean isOfTime(String topic) {
        return ofTopic(topic).stream().anyMatch(Template::isOfTime);
    }

    private List<Template> ofTopic(String topic) {
        return byTopic.getOrDefault(topic, common);
    }

    /**
     * A sentence about templates that no record uses; empty if there are none.
     *
     * @param setting that has the templates of topics
     * @param topics that the connector reads; empty if they are not known
     */
    public Optional<String> warning(String setting, List<String> topics) {
        Set<String> unread = new TreeSet<>(byTopic.keySet());
        topics.forEach(unread::remove);
        return topics.isEmpty() || unread.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        setting + " has entries without effect: topics does not name " + String.join(", ", unread));
    }

    /** The fields of a record's value that any of the templates asks for. */
    public Set<JsonPath> fields() {
        Set<JsonPath> fields = new LinkedHashSet<>();
        all().forEach(template -> fields.addAll(template.fields()));
        return fields;
    }

    /** All templates. */
    public Stream<Template> all() {
        return Stream.concat(Stream.of(common), byTopic.values().stream()).flatMap(List::stream);
    }

    /**
     * Why a deletion may miss what it deletes; empty if it does not. It comes later, and may have no value. If it names
     * another destination, the server finds nothing to delete and reports no error.
     *
     * @param hasValue whether a deletion has the fields of what it deletes
     * @param isTimeKept whether a deletion has the time of what it deletes
     * @param router the transform that puts a record's time into the name of its topic
     */
    public Optional<String> faultOfDeletions(boolean hasValue, boolean isTimeKept, Optional<String> router) {
        if (areOfTime() && !isTimeKept) {
            return Optional.of("a deletion has its own time, so a name with `${timestamp:...}` misses what is to be"
                    + " deleted, and nothing reports it" + WAY_OUT);
        }
        if (!fields().isEmpty() && !hasValue) {
            return Optional.of("a record without a value has no field for the name" + WAY_OUT);
        }
        return router.filter(name -> areOfTopics())
                .map(name -> "the transform " + name
                        + " puts a deletion's own time into the name, which therefore misses what is to be deleted, and nothing reports it"
                        + WAY_OUT);
    }

    private boolean areOfTime() {
        return all().anyMatch(Template::isOfTime);
    }

    /**
     * Whether a later record of a document names another destination, only because it is later.
     *
     * @param isTimeKept whether it has the time of the document, which names the destination
     * @param router the transform that puts a record's time into the name of its topic
     */
    public boolean moveWithTime(boolean isTimeKept, Optional<String> router) {
        return (areOfTime() && !isTimeKept) || (router.isPresent() && areOfTopics());
    }

    private boolean areOfTopics() {
        return !all().allMatch(Template::isFixed);
    }
}
