package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What must be known and must exist before documents are written: which server answers, how large a request may be, the
 * index template and the indexes. The lanes of a task share it.
 */
public final class Prerequisites {
    private final ContentLimit contentLimit = new ContentLimit();
    private final AdaptiveLimiter limiter;
    private final Optional<IndexTemplate> template;
    private final IndexCreator indexes;

    /**
     * Prerequisites of one task.
     *
     * @param limiter learns how large a request may be
     */
    public Prerequisites(AdaptiveLimiter limiter, Optional<IndexTemplate> template, IndexCreator indexes) {
        this.limiter = requireNonNull(limiter, "limiter");
        this.template = requireNonNull(template, "template");
        this.indexes = requireNonNull(indexes, "indexes");
    }

    /**
     * Any lane's thread: makes sure that these indexes can be written to; asks the server about each at most once.
     *
     * @return the indexes that cannot be created, each for a reason of its own
     */
    Map<String, RequestFailure> ensure(Set<String> destinations, ElasticsearchSession session) throws RequestFailure {
        session.server(); // before anything else is asked of it
        contentLimit.learn(session).ifPresent(limiter::tooLarge);
        if (template.isPresent()) {
            template.get().ensure(session);
        }
        Map<String, RequestFailure> unusable = new HashMap<>();
        for (String destination : destinations) {
            indexes.ensure(destination, session).ifPresent(reason -> unusable.put(destination, reason));
        }
        return unusable;
    }

    /** Any lane's thread: an index was deleted; whether it is to be created again. */
    boolean forget(String destination) {
        return indexes.forget(destination);
    }
}
