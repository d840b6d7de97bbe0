package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Template;
import java.util.Optional;

/**
 * Where a document's external version comes from.
 *
 * @param template what is filled, for {@link Kind#TEMPLATE}; empty for all others
 */
public record VersionSource(Kind kind, Optional<Template> template) {
    /** Elasticsearch counts versions itself. */
    public static final VersionSource NONE = new VersionSource(Kind.NONE, Optional.empty());

    /** The record's offset. */
    public static final VersionSource OFFSET = new VersionSource(Kind.OFFSET, Optional.empty());

    /** The position of a change event in the source's log. */
    public static final VersionSource POSITION = new VersionSource(Kind.POSITION, Optional.empty());

    /** The kinds of source. */
    public enum Kind {
        NONE,
        OFFSET,
        POSITION,
        TEMPLATE
    }

    public VersionSource {
        requireNonNull(kind, "kind");
        requireNonNull(template, "template");
    }

    /** A template that each record fills with a whole number. */
    static VersionSource of(Template template) {
        return new VersionSource(Kind.TEMPLATE, Optional.of(template));
    }

    /** Whether documents have versions from outside: an older one never replaces a newer one. */
    public boolean isExternal() {
        return kind != Kind.NONE;
    }
}
