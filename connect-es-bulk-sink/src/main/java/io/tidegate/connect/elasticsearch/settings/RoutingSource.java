package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Template;
import java.util.Optional;

/**
 * What selects a document's shard.
 *
 * @param template what is filled, for {@link Kind#TEMPLATE}; empty for all others
 */
public record RoutingSource(Kind kind, Optional<Template> template) {
    /** The document's id, as Elasticsearch does by itself. */
    public static final RoutingSource ID = new RoutingSource(Kind.ID, Optional.empty());

    /** The request: each one goes to one shard, the next one to another. Only for ids that Elasticsearch makes. */
    public static final RoutingSource REQUEST = new RoutingSource(Kind.REQUEST, Optional.empty());

    /** The kinds of source. */
    public enum Kind {
        ID,
        REQUEST,
        TEMPLATE
    }

    public RoutingSource {
        requireNonNull(kind, "kind");
        requireNonNull(template, "template");
    }

    /** A template that each record fills. */
    static RoutingSource of(Template template) {
        return new RoutingSource(Kind.TEMPLATE, Optional.of(template));
    }

    public boolean isPerRequest() {
        return kind == Kind.REQUEST;
    }
}
