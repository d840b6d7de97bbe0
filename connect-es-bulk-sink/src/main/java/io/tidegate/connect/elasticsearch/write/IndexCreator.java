package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the index template before the first write, and each missing index before the first write to it, if the user has
 * defined them. The lanes of a task share it; each index is asked for at most once in 30 seconds.
 */
public final class IndexCreator {
    private static final Logger log = LoggerFactory.getLogger(IndexCreator.class);

    /** Most names that are remembered, because names that depend on records may be many. */
    private static final int MAX_KNOWN = 10_000;

    /** How long an index that could not be created is not tried again. Each of many names costs two requests. */
    private static final Duration UNUSABLE = Duration.ofSeconds(30);

    /** How long an index is believed to exist. The server may create one that was deleted, without the definition. */
    private static final Duration EXISTING = Duration.ofSeconds(30);

    /** Of many indexes each is believed for longer, so that they cost at most 20 questions a second. */
    private static final Duration EACH = Duration.ofMillis(50);

    /** An answer that takes longer shows a server that is busy. What is known then holds up no document. */
    private static final Duration SLOW = Duration.ofSeconds(1);

    private final Optional<IndexDefinition> template;
    private final String templateName;
    private final Optional<IndexDefinition> definition;
    private final Clock clock;
    private final Map<String, Long> existing = new ConcurrentHashMap<>(); // and when that was so, as nanoTime
    private final Map<String, Unusable> unusable = new ConcurrentHashMap<>();
    private volatile Optional<Long> templateSeen = Optional.empty(); // when it existed, as nanoTime; written by lanes
    private volatile Optional<Long> busySince = Optional.empty(); // as nanoTime; written by lanes

    private record Unusable(RequestFailure reason, long since) {}

    public IndexCreator(
            Optional<IndexDefinition> template,
            String templateName,
            Optional<IndexDefinition> definition,
            Clock clock) {
        this.template = requireNonNull(template, "template");
        this.templateName = requireNonNull(templateName, "templateName");
        this.definition = requireNonNull(definition, "definition");
        this.clock = requireNonNull(clock, "clock");
    }

    /** Creates nothing. */
    public static IndexCreator none() {
        return new IndexCreator(Optional.empty(), "", Optional.empty(), Clock.SYSTEM);
    }

    /** Makes sure that the index template exists. After that, an error of the question holds up nothing. */
    void ensureTemplate(ElasticsearchSession session) throws RequestFailure {
        if (template.isEmpty()) {
            return;
        }
        long now = clock.nanoTime();
        if (templateSeen.isEmpty()) {
            Optional<RequestFailure> unused = template.get().ensure(templateName, session);
            templateSeen = Optional.of(now);
        } else if (now - templateSeen.get() >= EXISTING.toNanos() && !isBusy(now)) {
            templateSeen = Optional.of(now);
            again(template.get(), templateName, session);
        }
    }

    private boolean isBusy(long now) {
        return busySince.filter(since -> now - since < EXISTING.toNanos()).isPresent();
    }

    /**
     * Makes sure that an index, alias or data stream of this name exists, if there is a definition to create it from.
     *
     * @return why this index cannot be created, if the reason does not concern other indexes
     */
    Optional<RequestFailure> ensure(String index, ElasticsearchSession session) throws RequestFailure {
        if (definition.isEmpty()) {
            return Optional.empty();
        }
        long now = clock.nanoTime();
        Long seen = existing.get(index);
        long believed = Math.max(EXISTING.toNanos(), existing.size() * EACH.toNanos());
        if (seen != null && (now - seen < believed || isBusy(now))) {
            return Optional.empty();
        }
        Unusable known = unusable.get(index);
        if (known != null && now - known.since() < UNUSABLE.toNanos()) {
            return Optional.of(known.reason());
        }
        if (seen != null) {
            existing.put(index, now);
            again(definition.get(), index, session);
            return Optional.empty();
        }
        Optional<RequestFailure> reason = definition.get().ensure(index, session);
        if (existing.size() + unusable.size() >= MAX_KNOWN) {
            existing.clear();
            unusable.clear();
        }
        if (reason.isPresent()) {
            unusable.put(index, new Unusable(reason.get(), now));
        } else {
            unusable.remove(index);
            existing.put(index, now);
        }
        return reason;
    }

    /** Whatever keeps it from being asked for, it was there: the documents show whether they can be written. */
    private void again(IndexDefinition defined, String name, ElasticsearchSession session) {
        long asked = clock.nanoTime();
        boolean isBusy = false;
        try {
            defined.ensure(name, session).ifPresent(reason -> log.debug("{} is used as it is known", name, reason));
        } catch (RequestFailure e) {
            log.debug("{} is used as it is known", name, e);
            isBusy = e.failure() == Failure.TRANSIENT;
        }
        if (isBusy || clock.nanoTime() - asked > SLOW.toNanos()) {
            busySince = Optional.of(clock.nanoTime());
        }
    }

    /** Forgets an index that does not exist; returns whether the next call of {@link #ensure} creates it. */
    boolean forget(String index) {
        existing.remove(index); // another lane may have been faster
        return definition.isPresent() && !unusable.containsKey(index);
    }
}
