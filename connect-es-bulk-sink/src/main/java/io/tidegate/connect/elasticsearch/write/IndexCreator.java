package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures.Classification;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.HttpStatus;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.client.Server;
import io.tidegate.connect.elasticsearch.client.ServerError;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates missing indexes from the user's definition, each before the first write to it. The lanes of a task share it.
 * It does no harm if two lanes or tasks create the same index at the same time.
 */
public final class IndexCreator {
    private static final Logger log = LoggerFactory.getLogger(IndexCreator.class);

    /** Most names that are remembered, because names that depend on records may be many. */
    private static final int MAX_KNOWN = 10_000;

    private static final String CREATED_BY_ANOTHER = "resource_already_exists_exception";

    /** How long an index that could not be created is not tried again. Each of many names costs two requests. */
    private static final Duration UNUSABLE = Duration.ofSeconds(30);

    private final Optional<IndexDefinition> definition;
    private final Clock clock;
    private final Set<String> existing = ConcurrentHashMap.newKeySet();
    private final Map<String, Unusable> unusable = new ConcurrentHashMap<>();

    private record Unusable(RequestFailure reason, long since) {}

    public IndexCreator(Optional<IndexDefinition> definition, Clock clock) {
        this.definition = requireNonNull(definition, "definition");
        this.clock = requireNonNull(clock, "clock");
    }

    /**
     * Makes sure that an index, alias or data stream of this name exists, if there is a definition to create it from.
     *
     * @return why this index cannot be created, if the reason does not concern other indexes
     */
    public Optional<RequestFailure> ensure(String index, ElasticsearchSession session) throws RequestFailure {
        if (definition.isEmpty() || existing.contains(index)) {
            return Optional.empty();
        }
        long now = clock.nanoTime();
        Unusable known = unusable.get(index);
        if (known != null && now - known.since() < UNUSABLE.toNanos()) {
            return Optional.of(known.reason());
        }
        Optional<RequestFailure> reason =
                exists(index, session) ? Optional.empty() : create(index, definition.get(), session);
        if (existing.size() + unusable.size() >= MAX_KNOWN) {
            existing.clear();
            unusable.clear();
        }
        if (reason.isPresent()) {
            unusable.put(index, new Unusable(reason.get(), now));
        } else {
            unusable.remove(index);
            existing.add(index);
        }
        return reason;
    }

    /** Forgets an index that does not exist; returns whether the next call of {@link #ensure} creates it. */
    boolean forget(String index) {
        existing.remove(index); // another lane may have been faster
        return definition.isPresent() && !unusable.containsKey(index);
    }

    private static boolean exists(String index, ElasticsearchSession session) throws RequestFailure {
        String description = "the question whether index " + index + " exists";
        Response response = session.perform(Request.of("HEAD", pathOf(index)), description);
        boolean isOfServer = response.fromElasticsearch() || session.server().product() == Server.Product.OPENSEARCH;
        if (response.status() == HttpStatus.FORBIDDEN && isOfServer) {
            return false; // the user may not ask; creating it shows whether it exists
        }
        if (!response.isSuccess() && response.status() != HttpStatus.NOT_FOUND) {
            throw RequestFailure.of(description, response, ServerError.read(response.content()));
        }
        return response.isSuccess();
    }

    private static Optional<RequestFailure> create(
            String index, IndexDefinition definition, ElasticsearchSession session) throws RequestFailure {
        String description = "the creation of index " + index;
        Response response = session.perform(Request.of("PUT", pathOf(index), definition.body()), description);
        if (response.isSuccess()) {
            log.info("Created index {} as {} says", index, IndexSettings.INDEX_DEFINITION_FILE);
            return Optional.empty();
        }
        ServerError error = ServerError.read(response.content());
        if (error.type().equals(CREATED_BY_ANOTHER)) {
            return Optional.empty();
        }
        if (ElasticsearchFailures.isOfIndex(error)) {
            return Optional.of(RequestFailure.of(description, response, error));
        }
        if (response.status() == HttpStatus.BAD_REQUEST) {
            throw new RequestFailure(
                    new Classification(
                            Failure.FATAL, "correct the file that " + IndexSettings.INDEX_DEFINITION_FILE + " names"),
                    description + " was answered with " + response.status() + " " + error,
                    Optional.empty());
        }
        throw RequestFailure.of(description, response, error);
    }

    private static String pathOf(String index) {
        return "/" + IndexDefinition.encoded(index);
    }
}
