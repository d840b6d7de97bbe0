package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import java.util.Optional;

/**
 * What must be known and must exist before documents are written: which server responds, how large a request may be,
 * the index template and the indexes. The lanes of a task share it.
 */
public final class Prerequisites {
    private final ContentLimit contentLimit = new ContentLimit();
    private final boolean hasNodes;
    private final AdaptiveLimiter limiter;
    private final Optional<IndexTemplate> template;
    private final IndexCreator indexes;

    /**
     * Prerequisites of one task.
     *
     * @param limiter learns how large a request may be
     * @param hasNodes whether the server has nodes that tell it
     */
    public Prerequisites(
            AdaptiveLimiter limiter, boolean hasNodes, Optional<IndexTemplate> template, IndexCreator indexes) {
        this.hasNodes = hasNodes;
        this.limiter = requireNonNull(limiter, "limiter");
        this.template = requireNonNull(template, "template");
        this.indexes = requireNonNull(indexes, "indexes");
    }

    /** Any lane's thread: makes sure that the server can be written to. It asks the server at most once. */
    void ensure(ElasticsearchSession session) throws RequestFailure {
        session.server(); // before any other request to it
        if (hasNodes) {
            contentLimit.learn(session).ifPresent(limiter::tooLarge);
        }
        if (template.isPresent()) {
            template.get().ensure(session);
        }
    }

    /** Any lane's thread: forgets a deleted index; returns whether it will be created again. */
    boolean forget(String destination) {
        return indexes.forget(destination);
    }

    /**
     * Any lane's thread: makes sure that this index can be written to. It asks the server at most once for each index.
     *
     * @return why it cannot be created, if only this index is at fault
     */
    Optional<RequestFailure> ensureIndex(String index, ElasticsearchSession session) throws RequestFailure {
        return indexes.ensure(index, session);
    }
}
