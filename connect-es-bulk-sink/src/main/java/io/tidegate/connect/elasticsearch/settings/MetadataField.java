package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.value.Utf8;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A field of a document for a record's metadata: {@code offset}, or {@code offset:kafka.position}.
 *
 * @param path the names from the top of the document down to the field, at least one
 */
public record MetadataField(Source source, List<String> path) {
    /** What is known about a record besides its value. */
    public enum Source {
        /** The topic in Kafka, before the transforms. */
        TOPIC,
        PARTITION,
        OFFSET,
        TIMESTAMP,
        /** Whether the producer or the broker set the timestamp. */
        TIMESTAMP_TYPE,
        KEY,
        HEADERS
    }

    private static final String DEFAULT_PARENT = "kafka.";

    /** Elasticsearch's own fields, which it does not accept within a document or takes for something else. */
    private static final Set<String> OWN_FIELDS = Set.of(
            "_id",
            "_index",
            "_type",
            "_source",
            "_routing",
            "_version",
            "_seq_no",
            "_primary_term",
            "_ignored",
            "_field_names",
            "_nested_path",
            "_doc_count",
            "_tier");

    public MetadataField {
        requireNonNull(source, "source");
        path = List.copyOf(path);
    }

    /**
     * Reads {@code source}, for a field named {@code kafka.source}, or {@code source:name}, where dots in the name lead
     * into objects.
     *
     * @throws IllegalArgumentException with the reason
     */
    static MetadataField parse(String text) {
        String[] parts = text.split(":", 2);
        Source source = source(parts[0].trim(), text);
        String name = parts.length == 1 ? DEFAULT_PARENT + EnumSetting.text(source) : parts[1].trim();
        List<String> path = List.of(name.split("\\.", -1));
        if (path.stream().anyMatch(String::isBlank) || !Utf8.isWellFormed(name)) {
            throw new IllegalArgumentException(
                    "`" + text + "` names no field: a name such as `kafka.offset` is needed");
        }
        if (OWN_FIELDS.contains(path.get(0))) {
            throw new IllegalArgumentException("`" + path.get(0) + "` is a field of Elasticsearch's own");
        }
        return new MetadataField(source, path);
    }

    private static Source source(String word, String text) {
        try {
            return EnumSetting.parse(Source.class, word);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "`" + text + "` is none of "
                            + Arrays.stream(Source.values())
                                    .map(EnumSetting::text)
                                    .collect(Collectors.joining(", "))
                            + ", alone or with :name",
                    e);
        }
    }

    /**
     * Reads several.
     *
     * @throws IllegalArgumentException when one cannot be read, or cannot be in a document together with another
     */
    static List<MetadataField> parse(List<String> texts) {
        List<MetadataField> fields = texts.stream().map(MetadataField::parse).toList();
        for (int i = 0; i < fields.size(); i++) {
            for (MetadataField other : fields.subList(i + 1, fields.size())) {
                if (fields.get(i).isAtOrAbove(other) || other.isAtOrAbove(fields.get(i))) {
                    throw new IllegalArgumentException(
                            "a document cannot have both `" + fields.get(i).name() + "` and `" + other.name() + "`");
                }
            }
        }
        return fields;
    }

    private boolean isAtOrAbove(MetadataField other) {
        return path.size() <= other.path.size()
                && other.path.subList(0, path.size()).equals(path);
    }

    private String name() {
        return String.join(".", path);
    }
}
