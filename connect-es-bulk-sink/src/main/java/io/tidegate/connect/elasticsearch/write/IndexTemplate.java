package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures.Classification;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.HttpStatus;
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

    private final String name;
    private final IndexDefinition definition;
    private volatile boolean exists; // written by lanes, each once

    public IndexTemplate(String name, IndexDefinition definition) {
        this.name = requireNonNull(name, "name");
        this.definition = requireNonNull(definition, "definition");
    }

    /** Makes sure that a template of this name exists. */
    public void ensure(ElasticsearchSession session) throws RequestFailure {
        if (exists) {
            return;
        }
        if (!isThere(session)) {
            create(session);
        }
        exists = true;
    }

    private boolean isThere(ElasticsearchSession session) throws RequestFailure {
        String description = "the question whether index template " + name + " exists";
        Response response = session.perform(Request.of("HEAD", path()), description);
        if (!response.isSuccess() && response.status() != HttpStatus.NOT_FOUND) {
            throw RequestFailure.of(description, response, ServerError.read(response.content()));
        }
        return response.isSuccess();
    }

    private void create(ElasticsearchSession session) throws RequestFailure {
        String description = "the creation of index template " + name;
        Request request = new Request("PUT", path(), Map.of("create", "true"), Optional.of(definition.body()), false);
        Response response = session.perform(request, description);
        if (response.isSuccess()) {
            log.info("Created index template {} as {} says", name, IndexSettings.INDEX_TEMPLATE_FILE);
            return;
        }
        ServerError error = ServerError.read(response.content());
        if (response.status() != HttpStatus.BAD_REQUEST) {
            throw RequestFailure.of(description, response, error);
        }
        if (!isThere(session)) { // another task may have been first
            throw new RequestFailure(
                    new Classification(
                            Failure.FATAL, "correct the file that " + IndexSettings.INDEX_TEMPLATE_FILE + " names"),
                    description + " was answered with " + response.status() + " " + error,
                    Optional.empty());
        }
    }

    private String path() {
        return "/_index_template/" + IndexDefinition.encoded(name);
    }
}
