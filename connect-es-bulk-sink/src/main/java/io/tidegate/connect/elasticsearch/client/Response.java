package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.http.HttpEntity;

/**
 * What a node answered, of whatever status.
 *
 * @param retryAfter how long the server asks to be left alone, if it does
 * @param fromElasticsearch whether it carries Elasticsearch's product header, which a proxy's own answer lacks
 * @param content already received; reading it waits for nothing
 */
public record Response(int status, Optional<Duration> retryAfter, boolean fromElasticsearch, InputStream content) {
    /** Of {@code Retry-After} (RFC 9110, 10.2.3). Its other form, a date, would need a clock that the server shares. */
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,6}");

    public Response {
        requireNonNull(retryAfter, "retryAfter");
        requireNonNull(content, "content");
    }

    /**
     * What the REST client received.
     *
     * @throws UnreadableResponseException when it is a success that is not JSON, such as a proxy's own page
     */
    static Response of(org.elasticsearch.client.Response answer) throws IOException {
        HttpEntity entity = answer.getEntity(); // null in a response to HEAD
        Response response = new Response(
                answer.getStatusLine().getStatusCode(),
                header(answer, "Retry-After")
                        .filter(value -> SECONDS.matcher(value).matches())
                        .map(value -> Duration.ofSeconds(Long.parseLong(value))),
                header(answer, "X-Elastic-Product").isPresent(),
                entity == null ? InputStream.nullInputStream() : entity.getContent());
        String type = header(answer, "Content-Type").orElse(Request.JSON);
        if (response.isSuccess() && !type.contains("json")) {
            throw new UnreadableResponseException("it is not JSON, but " + type);
        }
        return response;
    }

    private static Optional<String> header(org.elasticsearch.client.Response answer, String name) {
        return Optional.ofNullable(answer.getHeader(name));
    }

    public boolean isSuccess() {
        return HttpStatus.isSuccess(status);
    }
}
