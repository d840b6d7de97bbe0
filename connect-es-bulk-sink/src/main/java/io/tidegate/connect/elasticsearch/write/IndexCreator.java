package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures.Verdict;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.client.ServerError;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the indexes that do not exist from the user's definition, each before the first write to it. The lanes of a
 * task share it; that two of them, or two tasks, create the same index at the same time does no harm.
 */
public final class IndexCreator {
    private static final Logger log = LoggerFactory.getLogger(IndexCreator.class);
    private static final int NOT_FOUND = 404;
    private static final int BAD_REQUEST = 400;
    private static final String CREATED_BY_ANOTHER = "resource_already_exists_exception";

    private final Optional<IndexDefinition> definition;
    private final Set<String> existing = ConcurrentHashMap.newKeySet();

    public IndexCreator(Optional<IndexDefinition> definition) {
        this.definition = requireNonNull(definition, "definition");
    }

    /** Makes sure that an index, alias or data stream of this name exists, if there is a definition to create it from. */
    public void ensure(String index, ElasticsearchSession calls) throws RequestFailure {
        if (definition.isEmpty() || existing.contains(index)) {
            return;
        }
        if (!exists(index, calls)) {
            create(index, definition.get(), calls);
        }
        existing.add(index);
    }

    private static boolean exists(String index, ElasticsearchSession calls) throws RequestFailure {
        String request = "the question whether index " + index + " exists";
        Response answer = RequestFailure.perform(Request.of("HEAD", pathOf(index)), request, calls);
        if (!answer.isSuccess() && answer.status() != NOT_FOUND) {
            throw RequestFailure.of(request, answer, ServerError.read(answer.content()));
        }
        return answer.isSuccess();
    }

    private static void create(String index, IndexDefinition definition, ElasticsearchSession calls)
            throws RequestFailure {
        String request = "the creation of index " + index;
        Response answer = RequestFailure.perform(Request.of("PUT", pathOf(index), definition.body()), request, calls);
        if (answer.isSuccess()) {
            log.info("Created index {} as {} says", index, IndexSettings.INDEX_DEFINITION_FILE);
            return;
        }
        ServerError error = ServerError.read(answer.content());
        if (error.type().equals(CREATED_BY_ANOTHER)) {
            return;
        }
        if (answer.status() == BAD_REQUEST) {
            throw new RequestFailure(
                    new Verdict(
                            Failure.FATAL, "correct the file that " + IndexSettings.INDEX_DEFINITION_FILE + " names"),
                    request + " was answered with " + answer.status() + " " + error,
                    Optional.empty());
        }
        throw RequestFailure.of(request, answer, error);
    }

    private static String pathOf(String index) {
        return "/" + IndexDefinition.encoded(index);
    }
}
