package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;

/**
 * What a node answered, of whatever status.
 *
 * @param retryAfter how long the server asks to be left alone, if it does
 * @param fromElasticsearch whether it carries Elasticsearch's product header, which a proxy's own answer lacks
 * @param content already received; reading it waits for nothing
 */
public record Response(int status, Optional<Duration> retryAfter, boolean fromElasticsearch, InputStream content) {
    public Response {
        requireNonNull(retryAfter, "retryAfter");
        requireNonNull(content, "content");
    }

    public boolean isSuccess() {
        return HttpStatus.isSuccess(status);
    }
}
