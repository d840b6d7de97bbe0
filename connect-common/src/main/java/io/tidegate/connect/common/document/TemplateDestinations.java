package io.tidegate.connect.common.document;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.RefusedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Destinations by templates. A name that depends only on the topic is made once per topic. Every other name is filled
 * for each record and checked once. The task thread uses it.
 */
public final class TemplateDestinations {
    /** Most cached topics and names, because transforms and fields may create new ones without a limit. */
    private static final int MAX_CACHED = 10_000;

    private final DestinationTemplates templates;
    private final RecordFields fields;
    private final Function<List<String>, String> naming;
    private final String advice;
    private final Map<String, TopicRule> topics = new HashMap<>();
    private final Map<List<String>, String> names = new HashMap<>();

    /** What is known about a topic: its templates and match, and the name when it is the same for all records. */
    private record TopicRule(List<Template> templates, Optional<Matcher> match, Optional<String> name) {}

    /**
     * Destinations of one task.
     *
     * @param fields has all fields that the templates need
     * @param naming makes the destination's name from the filled parts, as the sink writes it. It throws
     *     {@link IllegalArgumentException} with the server's rule that the name breaks. For equal parts it is usually
     *     called once.
     * @param advice which settings decide, as in {@code see index.name}; the end of the message about a refused record
     */
    public TemplateDestinations(
            DestinationTemplates templates, RecordFields fields, Function<List<String>, String> naming, String advice) {
        this.templates = requireNonNull(templates, "templates");
        this.fields = requireNonNull(fields, "fields");
        this.naming = requireNonNull(naming, "naming");
        this.advice = requireNonNull(advice, "advice");
    }

    /**
     * The name of the destination. Equal names are usually the same {@code String}.
     *
     * @throws RefusedException when the record gives no usable name
     */
    public String destinationOf(SinkRecord record) {
        TopicRule rule = topics.get(record.topic());
        if (rule == null) {
            rule = remember(topics, record.topic(), ruleFor(record));
        }
        return rule.name().isPresent() ? rule.name().get() : nameOf(record, rule.templates(), rule.match());
    }

    /** The destination of every record of this topic; empty when it depends on more than the topic. */
    public Optional<String> destinationOf(String topic) {
        try {
            return Optional.of(destinationOf(new SinkRecord(topic, 0, null, null, null, null, 0)));
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }

    /** Why no record of this topic can have a destination; empty if some may have one. */
    public Optional<String> faultOf(String topic) {
        try {
            TopicRule unused = ruleFor(new SinkRecord(topic, 0, null, null, null, null, 0));
            return Optional.empty();
        } catch (RefusedException e) {
            return Optional.of(e.getMessage());
        }
    }

    private TopicRule ruleFor(SinkRecord record) {
        List<Template> own = templates.byTopic().get(record.topic());
        Optional<Matcher> match = own == null ? templates.topicPattern().map(p -> match(p, record)) : Optional.empty();
        List<Template> parts = own == null ? templates.common() : own;
        boolean same = parts.stream().allMatch(Template::isOfTopicOnly);
        return new TopicRule(parts, match, same ? Optional.of(nameOf(record, parts, match)) : Optional.empty());
    }

    private Matcher match(Pattern pattern, SinkRecord record) {
        Matcher matcher = pattern.matcher(record.topic());
        if (!matcher.matches()) {
            throw refused(record, "it does not match " + pattern.pattern());
        }
        return matcher;
    }

    private String nameOf(SinkRecord record, List<Template> parts, Optional<Matcher> match) {
        List<String> filled = new ArrayList<>(parts.size()); // no stream, because this may run for each record
        try {
            for (Template part : parts) {
                filled.add(part.fill(record, match, fields));
            }
        } catch (RefusedException e) {
            throw refused(record, e.getMessage());
        }
        String known = names.get(filled);
        if (known != null) {
            return known;
        }
        try {
            return remember(names, filled, naming.apply(filled));
        } catch (IllegalArgumentException e) {
            throw refused(record, e.getMessage());
        }
    }

    private static <K, V> V remember(Map<K, V> cache, K key, V value) {
        if (cache.size() >= MAX_CACHED) {
            cache.clear();
        }
        cache.put(key, value);
        return value;
    }

    private RefusedException refused(SinkRecord record, String reason) {
        return new RefusedException(
                "the record of topic " + record.topic() + " has no destination: " + reason + "; " + advice);
    }
}
