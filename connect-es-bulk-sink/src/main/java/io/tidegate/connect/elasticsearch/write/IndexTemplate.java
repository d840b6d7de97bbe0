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
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The composable index template that is created before the first write, unless there is one of its name: that one stays
 * as it is. The lanes of a task share it; that two of them, or two tasks, create it at the same time does no harm.
 */
public final class IndexTemplate {
    private static final Logger log = LoggerFactory.getLogger(IndexTemplate.class);
    private static final int NOT_FOUND = 404;
    private static final int BAD_REQUEST = 400;

    private final String name;
    private final IndexDefinition definition;
    private volatile boolean exists; // written by lanes, each once

    public IndexTemplate(String name, IndexDefinition definition) {
        this.name = requireNonNull(name, "name");
        this.definition = requireNonNull(definition, "definition");
    }

    /** Makes sure that a template of this name exists. */
    public void ensure(ElasticsearchSession calls) throws RequestFailure {
        if (exists) {
            return;
        }
        if (!isThere(calls)) {
            create(calls);
        }
        exists = true;
    }

    private boolean isThere(ElasticsearchSession calls) throws RequestFailure {
        String request = "the question whether index template " + name + " exists";
        Response answer = RequestFailure.perform(Request.of("HEAD", path()), request, calls);
        if (!answer.isSuccess() && answer.status() != NOT_FOUND) {
            throw RequestFailure.of(request, answer, ServerError.read(answer.content()));
        }
        return answer.isSuccess();
    }

    private void create(ElasticsearchSession calls) throws RequestFailure {
        String request = "the creation of index template " + name;
        Request call = new Request("PUT", path(), Map.of("create", "true"), Optional.of(definition.body()), false);
        Response answer = RequestFailure.perform(call, request, calls);
        if (answer.isSuccess()) {
            log.info("Created index template {} as {} says", name, IndexSettings.INDEX_TEMPLATE_FILE);
            return;
        }
        ServerError error = ServerError.read(answer.content());
        if (answer.status() != BAD_REQUEST) {
            throw RequestFailure.of(request, answer, error);
        }
        if (!isThere(calls)) { // another task may have been first
            throw new RequestFailure(
                    new Verdict(Failure.FATAL, "correct the file that " + IndexSettings.INDEX_TEMPLATE_FILE + " names"),
                    request + " was answered with " + answer.status() + " " + error,
                    Optional.empty());
        }
    }

    private String path() {
        return "/_index_template/" + IndexDefinition.encoded(name);
    }
}
