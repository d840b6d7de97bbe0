package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Template;
import java.util.Optional;

/**
 * Where a document's external version comes from.
 *
 * @param template what is filled, for {@link Kind#TEMPLATE}; empty for all others
 * @param type which versions replace the one in the index
 */
public record VersionSource(Kind kind, Optional<Template> template, Type type) {
    /** Elasticsearch counts versions itself. */
    public static final VersionSource NONE = new VersionSource(Kind.NONE, Optional.empty(), Type.EXTERNAL);

    /** The record's offset. */
    public static final VersionSource OFFSET = new VersionSource(Kind.OFFSET, Optional.empty(), Type.EXTERNAL);

    /** The position of a change event in the source's log. Changes of one transaction may have the same one. */
    public static final VersionSource POSITION = new VersionSource(Kind.POSITION, Optional.empty(), Type.EXTERNAL_GTE);

    /** {@link LogVersion}. */
    public static final VersionSource LOG = new VersionSource(Kind.LOG, Optional.empty(), Type.EXTERNAL_GTE);

    /** The kinds of source. */
    public enum Kind {
        NONE,
        LOG,
        OFFSET,
        POSITION,
        TEMPLATE
    }

    /** Elasticsearch's words for comparing versions. */
    public enum Type {
        /** A higher version replaces the one in the index. */
        EXTERNAL,
        /** A higher or an equal version does. */
        EXTERNAL_GTE
    }

    public VersionSource {
        requireNonNull(kind, "kind");
        requireNonNull(template, "template");
        requireNonNull(type, "type");
    }

    /** A template that each record fills with a whole number. */
    static VersionSource of(Template template) {
        return new VersionSource(Kind.TEMPLATE, Optional.of(template), Type.EXTERNAL);
    }

    /** Whether documents have versions from outside: an older one never replaces a newer one. */
    public boolean isExternal() {
        return kind != Kind.NONE;
    }

    /** Whether versions only show which log a document is of. */
    public boolean isOfLog() {
        return kind == Kind.LOG;
    }

    /** The same versions, compared in this way, if there is a choice. */
    VersionSource comparedBy(Type otherType) {
        return kind == Kind.POSITION || kind == Kind.LOG ? this : new VersionSource(kind, template, otherType);
    }

    /** Whether two documents of one id may have the same version and the later one replaces the earlier one. */
    boolean isTied() {
        return (kind == Kind.TEMPLATE || kind == Kind.POSITION) && type == Type.EXTERNAL_GTE;
    }
}
