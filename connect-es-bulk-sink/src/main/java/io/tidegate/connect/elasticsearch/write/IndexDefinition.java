package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures.Asked;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.FlatJson;
import io.tidegate.connect.elasticsearch.client.HttpStatus;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.client.Verdict;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings and mappings, as the user wrote them, for indexes or a composable index template that do not exist. It does no
 * harm if two lanes or tasks create the same one at the same time. Any thread.
 */
public final class IndexDefinition {
    private static final Logger log = LoggerFactory.getLogger(IndexDefinition.class);

    private final Asked asked;
    private final String setting;
    private final byte[] json;
    private final AtomicBoolean compared = new AtomicBoolean(); // the first lane that asks compares

    private IndexDefinition(Asked asked, String setting, byte[] json) {
        this.asked = requireNonNull(asked, "asked");
        this.setting = requireNonNull(setting, "setting");
        this.json = requireNonNull(json, "json");
    }

    /**
     * Reads a file.
     *
     * @param asked what it defines
     * @param setting the setting that names the file
     * @throws ConfigException when it cannot be read or is not a JSON object
     */
    public static IndexDefinition read(Asked asked, String setting, Path file) {
        try {
            byte[] json = Files.readAllBytes(file);
            check(json);
            return new IndexDefinition(asked, setting, json);
        } catch (IOException e) {
            throw new ConfigException(setting, file, "it cannot be read as a JSON object: " + e);
        }
    }

    private static void check(byte[] json) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("it does not start with `{`");
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw new IOException("something follows its end");
            }
        }
    }

    /**
     * Creates what is defined unless something of this name exists: that stays as it is.
     *
     * @return why it cannot be created, if the reason does not concern other indexes
     */
    Optional<RequestFailure> ensure(String name, ElasticsearchSession session) throws RequestFailure {
        boolean isTemplate = asked == Asked.TEMPLATE;
        String what = (isTemplate ? "index template " : "index ") + name;
        String path = (isTemplate ? "/_index_template/" : "/") + Request.inPath(name);
        return exists(what, path, session)
                ? Optional.empty()
                : create(what, path, isTemplate ? Map.of("create", "true") : Map.of(), session);
    }

    private boolean exists(String what, String path, ElasticsearchSession session) throws RequestFailure {
        boolean isCompared = asked == Asked.TEMPLATE && !compared.getAndSet(true);
        String description = "the question whether " + what + " exists";
        Response response = session.perform(Request.of(isCompared ? "GET" : "HEAD", path), description);
        boolean isUnknown = response.status() == HttpStatus.NOT_FOUND
                || response.status() == HttpStatus.FORBIDDEN; // if the user may not ask, creating it shows that
        if (!response.isSuccess() && !isUnknown) {
            throw RequestFailure.of(description, response);
        }
        if (isCompared && response.isSuccess()) {
            compare(what, response);
        }
        return response.isSuccess();
    }

    /** What exists stays as it is. It may be another connector's, or from an earlier state of the file. */
    private void compare(String what, Response response) {
        Map<String, String> file = FlatJson.read(new ByteArrayInputStream(json));
        List<String> places = TemplateDifferences.of(file, FlatJson.read(response.content()));
        if (!places.isEmpty()) {
            log.warn(
                    "The {} exists, and differs from the file that {} names in {} places, the first of them {}: it stays as"
                            + " it is",
                    what,
                    setting,
                    places.size(),
                    places.get(0));
        }
    }

    private Optional<RequestFailure> create(
            String what, String path, Map<String, String> parameters, ElasticsearchSession session)
            throws RequestFailure {
        String description = "the creation of " + what;
        Response response = session.perform(Request.ofJson("PUT", path, parameters, json), description);
        if (response.isSuccess()) {
            log.info("Created {} as {} says", what, setting);
            return Optional.empty();
        }
        RequestFailure failed = RequestFailure.of(asked, description, response);
        if (failed.kind() == Verdict.Kind.DONE) {
            return Optional.empty(); // another lane or task was first
        }
        if (failed.kind() == Verdict.Kind.UNUSABLE_INDEX && asked == Asked.INDEX) {
            return Optional.of(failed);
        }
        throw failed;
    }
}
