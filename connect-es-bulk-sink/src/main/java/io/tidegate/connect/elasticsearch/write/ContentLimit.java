package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.FlatJson;
import io.tidegate.connect.elasticsearch.client.HttpStatus;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The most bytes that the nodes take as the body of one request ({@code http.max_content_length}), by their own account.
 * The lanes of a task share it. A user who may not ask learns it from the first request that is too large.
 */
public final class ContentLimit {
    private static final Logger log = LoggerFactory.getLogger(ContentLimit.class);
    private static final String LIMIT = "http.max_content_length_in_bytes";
    private static final String LIMIT_POINTER = "/http/max_content_length_in_bytes";
    private static final Pattern BYTES = Pattern.compile("[1-9][0-9]{0,17}");

    private volatile boolean isAnswered; // written by lanes

    /** The smallest of all nodes, once; empty when it was answered before, or the server does not tell. */
    public OptionalLong learn(ElasticsearchSession session) throws RequestFailure {
        if (isAnswered) {
            return OptionalLong.empty();
        }
        Response response = session.perform(
                new Request("GET", "/_nodes/http", Map.of("filter_path", "nodes.*." + LIMIT), Optional.empty(), false),
                "the question how large a request may be");
        isAnswered = !mayAnswerLater(response.status());
        if (!response.isSuccess()) {
            log.debug("The nodes do not tell how large a request may be: status {}", response.status());
            return OptionalLong.empty();
        }
        return FlatJson.read(response.content()).entrySet().stream()
                .filter(value -> value.getKey().endsWith(LIMIT_POINTER))
                .map(Map.Entry::getValue)
                .filter(text -> BYTES.matcher(text).matches())
                .mapToLong(Long::parseLong)
                .min();
    }

    /** A node that is starting refuses every user, or is not ready. */
    private static boolean mayAnswerLater(int status) {
        return status == HttpStatus.UNAUTHORIZED || HttpStatus.isTemporary(status);
    }
}
