package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Template;
import java.util.Optional;

/**
 * Where a document's {@code _id} comes from.
 *
 * @param template what is filled, for {@link Kind#TEMPLATE}; empty for all others
 */
public record IdSource(Kind kind, Optional<Template> template) {
    /** The record's key. */
    public static final IdSource KEY = new IdSource(Kind.KEY, Optional.empty());

    /** Topic, partition and offset of the record. */
    public static final IdSource COORDINATES = new IdSource(Kind.COORDINATES, Optional.empty());

    /** Elasticsearch makes one for each write. */
    public static final IdSource NONE = new IdSource(Kind.NONE, Optional.empty());

    /** The kinds of source. */
    public enum Kind {
        KEY,
        COORDINATES,
        NONE,
        TEMPLATE
    }

    public IdSource {
        requireNonNull(kind, "kind");
        requireNonNull(template, "template");
    }

    /** A template that each record fills. */
    static IdSource of(Template template) {
        return new IdSource(Kind.TEMPLATE, Optional.of(template));
    }

    /** Whether several records may have the same id, so that their order counts. */
    public boolean isShared() {
        return kind == Kind.KEY || kind == Kind.TEMPLATE;
    }
}
